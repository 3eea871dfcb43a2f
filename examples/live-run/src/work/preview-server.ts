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

/** Starts a server that is slow to come up and waits for it: on a machine, so nobody is asked for anything. */
export async function awaitPreviewServer(seconds: number, reporter: Reporter, signal: AbortSignal): Promise<void> {
  const port = await freePort();
  // It ends with us, also when we are killed: then its input ends.
  const program = `process.stdin.on('end', () => process.exit()).resume(); setTimeout(() => require('node:http').createServer((q, r) => r.end('ok')).listen(${port}, '127.0.0.1'), ${seconds * 1000})`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'ignore'] });
  try {
    reporter.wait({ text: `the preview server to listen on port ${port}`, until: Date.now() + seconds * 1000 });
    while (!(await answers(port))) await delay(250, undefined, { signal });
  } finally {
    child.kill();
  }
}

/** Hands the digest to a server that is not there: a real refused connection, reported as what it is. */
export async function publishDigest(digest: string): Promise<void> {
  const port = await freePort();
  try {
    await fetch(`http://127.0.0.1:${port}/digest`, { method: 'POST', body: digest });
  } catch (error) {
    const cause = (error as Error).cause as { message?: string; code?: string } | undefined;
    throw Object.assign(new Error(cause?.message || `nothing listens on port ${port}`), { code: cause?.code ?? 'unavailable' });
  }
}
