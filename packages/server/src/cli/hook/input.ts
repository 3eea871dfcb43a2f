import type { Readable } from 'node:stream';

/** Bytes that are read at most: outputs of tools come along, and none of them is needed whole. */
const MAX_BYTES = 8 * 1024 * 1024;

/** The JSON on standard input, or undefined when it is none, is too long, or does not end in time. */
export async function readHookInput(input: Readable, deadline: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  const isWhole = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
    const done = (whole: boolean): void => {
      clearTimeout(timer);
      resolve(whole);
    };
    input.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) done(false);
      else chunks.push(chunk);
    });
    input.once('end', () => done(true));
    input.once('error', () => done(false));
  });
  // Whoever still writes must not keep this process.
  if (!isWhole) input.destroy();
  if (!isWhole) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}
