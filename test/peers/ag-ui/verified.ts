import { createRequire } from 'node:module';
import { verifyEvents } from '@ag-ui/client';

/** As much of the peer's streams as is needed here. */
interface Stream {
  pipe(...steps: readonly unknown[]): Stream;
}

interface Streams {
  from(values: readonly unknown[]): Stream;
  toArray(): unknown;
  lastValueFrom(stream: Stream): Promise<unknown[]>;
}

/** The library the peer's client brings: an observable of another copy would be no observable to it. */
const { from, toArray, lastValueFrom } = createRequire(createRequire(import.meta.url).resolve('@ag-ui/client'))('rxjs') as Streams;

/** The frames as the peer's verifier lets them pass; rejects where it refuses one. */
export function verified(frames: readonly unknown[]): Promise<unknown[]> {
  return lastValueFrom(from(frames).pipe(verifyEvents(false), toArray()));
}

/** Runs with the console quiet: the peer's client tells it what it refuses, and refusals are what is looked for. */
export async function quietly<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly told: number }> {
  const { warn, error } = console;
  let told = 0;
  console.warn = console.error = () => void (told += 1);
  try {
    const value = await work();
    return { value, told };
  } finally {
    Object.assign(console, { warn, error });
  }
}
