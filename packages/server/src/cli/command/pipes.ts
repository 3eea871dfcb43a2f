import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A pipe of the system: what is written to the descriptor can be read from the stream. */
export interface OutputPipe {
  readonly read: Readable;
  /** For the command. Ours must be closed once it has been started, or the end of its output would never be seen. */
  readonly write: number;
}

/**
 * Pipes for the output of a command. Node itself gives a command sockets, which cannot be opened by name: a script that
 * writes to `/dev/stderr` would fail for being watched. Undefined where there are no named pipes (Windows, or no `mkfifo`).
 */
export function openOutputPipes(count: number): readonly OutputPipe[] | undefined {
  if (count === 0) return [];
  let folder: string | undefined;
  const opened: number[] = [];
  try {
    folder = mkdtempSync(join(tmpdir(), 'sitrep-run-'));
    const paths = Array.from({ length: count }, (_, n) => join(folder as string, String(n)));
    if (spawnSync('mkfifo', paths, { stdio: 'ignore', timeout: 2_000 }).status !== 0) return undefined;
    const pipes = paths.map((name): OutputPipe => {
      // Without waiting for a writer; then there is a reader for the writer to find.
      const fd = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
      opened.push(fd);
      const write = openSync(name, constants.O_WRONLY);
      opened.push(write);
      return { read: new Socket({ fd, readable: true, writable: false }), write };
    });
    return pipes;
  } catch {
    for (const fd of opened) closeSync(fd);
    return undefined;
  } finally {
    // The pipes live on in what has opened them.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}
