import { readFileSync, statSync } from 'node:fs';
import { decodeJwt } from 'jose';
import type { JWTPayload } from 'jose';
import { readKeys } from '../../auth/keys.ts';
import { isLoopback } from '../../http/listen.ts';
import { finder } from './finding.ts';
import type { Finding } from './finding.ts';

/** Different bytes a secret should have at least: one typed by hand has few. */
const MIN_DIFFERENT = 12;
const DAY_MS = 86_400_000;

/** Looks at the keys `serve` would use on this host. */
export function checkKeys(flag: string | undefined, host: string): Finding[] {
  const keys = finder('keys');
  const file = flag ?? (process.env['SITREP_KEY_FILE'] || undefined);
  const inline = process.env['SITREP_KEY'] || undefined;
  if (file === undefined && inline === undefined) {
    if (isLoopback(host))
      return [keys.ok('There are no keys: only programs of this machine reach the gateway, and each of them may read and write.')];
    return [
      keys.fail(
        `There are no keys, and ${host} can be reached from other machines.`,
        '(umask 077; sitrep token --new-key > sitrep.key), then --key-file sitrep.key.',
      ),
    ];
  }
  const findings: Finding[] = [];
  let text = inline ?? '';
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8');
      findings.push(...checkMode('keys', file));
    } catch (error) {
      return [keys.fail(`The keys cannot be read: ${(error as Error).message}`, 'Name the file with --key-file.')];
    }
  }
  try {
    const found = readKeys(text);
    for (const { algorithm, verify } of found) {
      const bytes = algorithm === 'HS256' ? verify.export() : undefined;
      if (bytes && new Set(bytes).size < MIN_DIFFERENT)
        findings.push(
          keys.warn('A secret is made of few different bytes, so it may be guessed.', 'Let sitrep token --new-key HS256 make one.'),
        );
    }
    const canSign = found.some(({ sign }) => sign !== undefined);
    findings.push(
      keys.ok(
        `${found.length === 1 ? 'One key' : `${found.length} keys`} (${found.map(({ algorithm }) => algorithm).join(', ')})${canSign ? '' : ', which can check tokens and make none'}.`,
      ),
    );
  } catch (error) {
    findings.push(keys.fail((error as Error).message, 'Let sitrep token --new-key make one.'));
  }
  return findings;
}

/** Looks at the token that commands send. */
export function checkToken(now: number): Finding[] {
  const token = finder('token');
  const file = process.env['SITREP_TOKEN_FILE'] || undefined;
  const findings: Finding[] = [];
  let text = process.env['SITREP_TOKEN'] || undefined;
  if (file !== undefined) {
    try {
      text = readFileSync(file, 'utf8').trim();
      findings.push(...checkMode('token', file));
    } catch (error) {
      return [
        token.fail(`The token cannot be read: ${(error as Error).message}`, 'Write it there, or name another file in SITREP_TOKEN_FILE.'),
      ];
    }
  }
  if (text === undefined) return [];
  let claims: JWTPayload;
  try {
    claims = decodeJwt(text.trim());
  } catch {
    return [...findings, token.fail('The token is none.', 'sitrep token makes them.')];
  }
  const left = (claims.exp ?? 0) * 1_000 - now;
  if (claims.exp === undefined)
    findings.push(token.fail('The token never expires, and no gateway takes it.', 'Make one with sitrep token.'));
  else if (left <= 0)
    findings.push(token.fail(`The token expired ${new Date(claims.exp * 1_000).toISOString()}.`, 'Make another one with sitrep token.'));
  else if (left < DAY_MS)
    findings.push(
      token.warn(
        `The token expires ${new Date(claims.exp * 1_000).toISOString()}.`,
        'Have another one ready; SITREP_TOKEN_FILE is read anew for each request.',
      ),
    );
  else findings.push(token.ok(`The token is good until ${new Date(claims.exp * 1_000).toISOString()} (scope ${String(claims['scope'])}).`));
  return findings;
}

function checkMode(check: string, file: string): Finding[] {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return [];
  return [finder(check).warn(`Other users of this machine may read ${file}.`, `chmod 600 ${file}`)];
}
