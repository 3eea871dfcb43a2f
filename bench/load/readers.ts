/** Readers in processes of their own, as an object to ask. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { AwaitReaders, CloseReaders, OpenReaders, Seen } from './reader-process.ts';

export class Readers {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (seen: Seen) => void>();
  #token = 0;

  constructor() {
    this.#child = fork(fileURLToPath(new URL('reader-process.ts', import.meta.url)), { execArgv: ['--max-semi-space-size=32'] });
    this.#child.on('message', (seen: Seen) => {
      this.#waiting.get(seen.token)?.(seen);
      this.#waiting.delete(seen.token);
    });
    this.#child.on('exit', (code) => {
      if (this.#waiting.size === 0) return;
      process.stderr.write(`The readers ended with code ${code}.\n`);
      process.exit(1);
    });
  }

  ask(order: OpenReaders | AwaitReaders | CloseReaders): Promise<Seen> {
    const token = (this.#token += 1);
    return new Promise((resolve) => {
      this.#waiting.set(token, resolve);
      this.#child.send({ ...order, token });
    });
  }

  end(): void {
    this.#waiting.clear();
    this.#child.kill('SIGKILL');
  }
}

/** The request of a reader of server-sent events, and how its answer begins. */
export function sseRequest(path: string, headers = ''): { readonly request: string; readonly greeting: string } {
  return {
    request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n${headers}\r\n`,
    greeting: '\r\n\r\n',
  };
}

/** The handshake of a WebSocket, and how its answer begins. */
export function socketRequest(path: string, protocol = ''): { readonly request: string; readonly greeting: string } {
  const asked = protocol === '' ? '' : `Sec-WebSocket-Protocol: ${protocol}\r\n`;
  const key = 'c2l0cmVwIGxvYWQgcmlnLg==';
  return {
    request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n${asked}\r\n`,
    greeting: '\r\n\r\n',
  };
}
