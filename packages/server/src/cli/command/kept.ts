import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';

/**
 * A stream of a child that waits for its reader. Node throws away what a child wrote when the child ends before anybody
 * has begun to read, and ours are read a little after the start.
 */
export function kept(from: Readable): Readable {
  const stream = new PassThrough();
  from.once('error', () => stream.destroy());
  // A reader that goes away must be noticed by the writer.
  stream.once('close', () => from.destroy());
  return from.pipe(stream);
}
