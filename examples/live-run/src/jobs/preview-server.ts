import { spawn } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Reporter } from '@sitrep/harness';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** A server that is up. */
export interface PreviewServer {
  readonly url: string;
  close(): void;
}

/** Starts a server that is slow to come up and waits for it: on a machine, so nobody is asked for anything. */
export async function startPreviewServer(seconds: number, reporter: Reporter, signal: AbortSignal): Promise<PreviewServer> {
  const port = await freePort();
  // It ends with us, also when we are killed: then its input ends.
  const program = `process.stdin.on('end', () => process.exit()).resume(); setTimeout(() => require('node:http').createServer((q, r) => r.end('ok')).listen(${port}, '127.0.0.1'), ${seconds * 1000})`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    reporter.wait({ text: `the preview server to listen on port ${port}`, until: Date.now() + seconds * 1000 });
    while (!(await answers(port))) await delay(250, undefined, { signal });
  } catch (error) {
    child.kill();
    throw error;
  }
  return { url: `http://127.0.0.1:${port}`, close: () => child.kill() };
}

/** Hands a text to a server. A refused connection is reported as what it is. */
export async function publish(url: string, text: string): Promise<void> {
  try {
    const { status } = await fetch(url, { method: 'POST', body: text });
    if (status !== 200) throw new Error(`the server answered ${status}`);
  } catch (error) {
    const { message, code } = ((error as Error).cause ?? error) as { message: string; code?: string };
    throw Object.assign(new Error(message), { code: code ?? 'unavailable' });
  }
}

/** An address nobody listens at. */
export async function deadAddress(): Promise<string> {
  return `http://127.0.0.1:${await freePort()}`;
}
