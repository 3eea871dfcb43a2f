import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Reporter } from '@sitrep/harness';

const SKIPPED = new Set(['.git', '.sitrep']);
const AT_ONCE = 8;

/** All regular files below a folder; links are not followed, so that each file counts once. */
async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.has(entry.name)) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Counts the files first: until they are all known the total is unknown, and so it is reported. */
export async function listFiles(folder: string, reporter: Reporter, signal: AbortSignal): Promise<string[]> {
  const files: string[] = [];
  for await (const file of filesBelow(folder)) {
    signal.throwIfAborted();
    files.push(file);
    reporter.update({ current: files.length, message: file.slice(folder.length + 1) });
  }
  reporter.update({ message: null });
  return files;
}

/** Hashes every file, a few at a time, and answers one digest over all of them. */
export async function hashFiles(
  files: readonly string[],
  onFile: (done: number, file: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const digests: string[] = [];
  let next = 0;
  let done = 0;
  const worker = async () => {
    while (next < files.length) {
      signal.throwIfAborted();
      const index = next++;
      const hash = createHash('sha256');
      // A file may go while we are at it (a build runs beside us): its absence is part of the digest.
      await pipeline(createReadStream(files[index]!), hash).catch(() => hash.destroy());
      digests[index] = hash.destroyed ? 'gone' : hash.digest('hex');
      onFile(++done, files[index]!);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return createHash('sha256').update(digests.join('\n')).digest('hex');
}
