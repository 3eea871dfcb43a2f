import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findServers } from '../../../scripts/servers.mjs';
import { freePort } from '../../support/free-port.ts';

const DOCS = new URL('../../../docs/proxies.md', import.meta.url);
/** The name the proxy and its certificate have. */
export const NAME = 'gw.example';

/** An nginx that runs what the documentation says to write. */
export interface Nginx {
  readonly port: number;
  /** The certificate, which nobody else has signed. */
  readonly ca: string;
  /** Has it read its configuration again; resolves when another worker is at work. */
  reload(): Promise<void>;
  log(): string;
}

/** The configuration of the documentation, with its names of ports and files replaced by those of a test. */
function snippet(replacements: Readonly<Record<string, string>>): string {
  let text = /```nginx\n(.*?)```/s.exec(readFileSync(DOCS, 'utf8'))?.[1] ?? '';
  for (const [from, to] of Object.entries(replacements)) {
    assert.ok(text.includes(from), `the snippet has no "${from}"`);
    text = text.replaceAll(from, to);
  }
  return text;
}

/** Starts nginx before a gateway that is, or will be, at this port. */
export async function startNginx(t: TestContext, gatewayPort: number): Promise<Nginx> {
  const { nginx } = findServers() as { nginx?: string };
  assert.ok(nginx, 'nginx is needed: apt-get install nginx-light, or name it in NGINX');
  const directory = mkdtempSync(join(tmpdir(), 'sitrep-nginx-'));
  const file = (name: string): string => join(directory, name);
  const [certificate, key] = [file('gw.pem'), file('gw.key')];
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      certificate,
      ...subject,
    ],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${file(name)};`).join('\n');
  mkdirSync(file('logs'));
  const config = `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off;
    worker_processes 1;
    worker_shutdown_timeout 2s;
    pid ${file('nginx.pid')};
    error_log ${file('error.log')} notice;
    events { worker_connections 1024; }
    http {
      access_log off;
      ${temporary}
      ${snippet({
        '127.0.0.1:4747': `127.0.0.1:${gatewayPort}`,
        'listen 443 ': `listen 127.0.0.1:${port} `,
        '/etc/ssl/gw.example.pem': certificate,
        '/etc/ssl/private/gw.example.key': key,
      })}
    }`;
  writeFileSync(file('nginx.conf'), config);
  const child = spawn(nginx, ['-p', directory, '-e', file('error.log'), '-c', file('nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += String(text)));
  const log = (): string => {
    try {
      return stderr + readFileSync(file('error.log'), 'utf8');
    } catch {
      return stderr;
    }
  };
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  });
  await until(async () => {
    assert.equal(child.exitCode, null, `nginx ended: ${log()}`);
    return isListening(port);
  });
  return {
    port,
    ca: readFileSync(certificate, 'utf8'),
    log,
    async reload() {
      const workers = (): number => log().match(/start worker process \d+/g)?.length ?? 0;
      const before = workers();
      child.kill('SIGHUP');
      await until(async () => workers() > before);
    },
  };
}

/** Resolves once it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, 'this took more than a minute');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
