import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Sink } from './sink.ts';

/**
 * Hands one event to a sink that nobody vouches for. It may throw, or be written in JavaScript and answer a promise that
 * rejects or never settles: `failed` hears of it, the sender does not.
 */
export function handOver(sink: Pick<Sink, 'send'>, event: ProgressEvent, failed: () => void): void {
  attempt(() => sink.send(event), failed);
}

/** Calls what nobody vouches for, and waits for nothing: `failed` hears of what it throws, and of what a promise of it rejects with. */
export function attempt(call: () => unknown, failed: () => void): void {
  try {
    const answer = call();
    if (isThenable(answer)) void Promise.resolve(answer).then(undefined, failed);
  } catch {
    failed();
  }
}

/** True for anything that can be awaited. By shape, because promises cross realms. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder && 'then' in value && typeof value.then === 'function';
}
