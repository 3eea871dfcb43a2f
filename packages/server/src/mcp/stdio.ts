import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createServer } from './server.ts';
import type { ServerParts } from './server.ts';

/** Serves one client over standard input and output, and resolves when it has gone or `signal` aborts. */
export async function serveOverStdio(parts: ServerParts, warn: (message: string) => void, signal: AbortSignal): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    // Nobody is left to answer to.
    process.stdout.once('error', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  const calls = new Set<Promise<unknown>>();
  const call: ServerParts['call'] = (...args) => {
    const answer = parts.call(...args);
    calls.add(answer);
    void answer.finally(() => calls.delete(answer));
    return answer;
  };
  const handle = serveStdio(() => createServer({ ...parts, call }), { onerror: (error) => warn(error.message) });
  await gone;
  // What was called for is still reported, though its answer may find nobody.
  await Promise.all(calls);
  await handle.close();
}
