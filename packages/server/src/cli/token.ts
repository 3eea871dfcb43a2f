import { SCOPES } from '../auth/grant.ts';
import type { Scope } from '../auth/grant.ts';
import { ALGORITHMS, newKey, publicKey } from '../auth/keys.ts';
import type { Algorithm, TokenKey } from '../auth/keys.ts';
import { createToken } from '../auth/token.ts';
import { sessionNameFault } from '../gateway/session/session-name.ts';
import { parse } from './arguments.ts';
import { keysOf } from './token-keys.ts';
import { UsageError } from './usage-error.ts';
import { TOKEN_USAGE } from './usage.ts';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `sitrep token`: makes tokens and keys. */
export async function token(args: string[]): Promise<number> {
  const { values, positionals } = parse('token', args, {
    scope: { type: 'string' },
    session: { type: 'string', multiple: true },
    prefix: { type: 'string', multiple: true },
    all: { type: 'boolean' },
    subject: { type: 'string' },
    expires: { type: 'string' },
    'key-file': { type: 'string' },
    'new-key': { type: 'boolean' },
    'public-key': { type: 'boolean' },
  });
  if (values.help) {
    process.stdout.write(TOKEN_USAGE);
    return 0;
  }
  if (values['new-key']) return write(newKey(algorithmOf(positionals)));
  if (positionals.length > 0) throw new UsageError(`token takes no "${positionals[0]}".`, 'token');
  const keys = keysOf('token', values['key-file']);
  if (keys.length === 0)
    throw new UsageError('Name the key: --key-file <file>, or SITREP_KEY_FILE or SITREP_KEY. --new-key makes one.', 'token');
  if (values['public-key']) return write(publicOf(keys));
  const { session: sessions = [], prefix: prefixes = [], all, subject } = values;
  for (const session of sessions) {
    const fault = sessionNameFault(session);
    if (fault !== undefined) throw new UsageError(fault, 'token');
  }
  if (prefixes.includes('')) throw new UsageError('--prefix must not be empty; --all means every session.', 'token');
  if (sessions.length + prefixes.length === 0 && !all) {
    throw new UsageError('Say which sessions it reaches: --session <name>, --prefix <text> or --all.', 'token');
  }
  const scope = (values.scope ?? 'read') as Scope;
  if (!SCOPES.includes(scope)) throw new UsageError(`--scope must be one of ${SCOPES.join(', ')}.`, 'token');
  const expiresIn = secondsOf(values.expires ?? '1h');
  return write(await createToken(keys, { scope, sessions, prefixes: all ? [''] : prefixes, subject, expiresIn }));
}

function write(line: string): number {
  process.stdout.write(`${line}\n`);
  return 0;
}

function algorithmOf([name = 'EdDSA', more]: readonly string[]): Algorithm {
  const algorithm = ALGORITHMS.find((known) => known.toLowerCase() === name.toLowerCase());
  if (algorithm === undefined || more !== undefined) throw new UsageError(`--new-key makes a key for ${ALGORITHMS.join(' or ')}.`, 'token');
  return algorithm;
}

/** The key tokens are made with, else the first there is. */
function publicOf(keys: readonly TokenKey[]): string {
  const key = keys.find(({ sign }) => sign !== undefined) ?? keys[0];
  const text = key && publicKey(key);
  if (text === undefined)
    throw new UsageError('A secret has no public half: whoever checks its tokens can make them too. Use an EdDSA key.', 'token');
  return text;
}

function secondsOf(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit] ?? Number.NaN);
  if (!(seconds > 0)) throw new UsageError(`--expires must be a time such as 30s, 15m, 12h or 7d, not "${text}".`, 'token');
  return seconds;
}
