import type { Readable } from 'node:stream';

/** Bytes that are read at most: outputs of tools come along, and none of them is needed whole. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The JSON on standard input as `value`, or why there is none: it is no JSON, is too long, or does not end in time. */
export async function readHookInput(
  input: Readable,
  deadline: number,
): Promise<{ readonly value: unknown } | { readonly value?: undefined; readonly why: string }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let why = 'did not end in time';
  const isWhole = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, deadline - Date.now()));
    const done = (whole: boolean): void => {
      clearTimeout(timer);
      resolve(whole);
    };
    input.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BYTES) return void chunks.push(chunk);
      why = `is longer than ${MAX_BYTES / 1024 / 1024} MiB`;
      done(false);
    });
    input.once('end', () => done(true));
    input.once('error', () => done(false));
  });
  // Whoever still writes must not keep this process.
  if (!isWhole) input.destroy();
  if (!isWhole) return { why };
  try {
    return { value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    return { why: 'is no JSON' };
  }
}
