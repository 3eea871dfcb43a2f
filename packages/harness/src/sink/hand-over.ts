import type { ProgressEvent } from '@sitrep/schema/wire';
import type { Sink } from './sink.ts';

/** Hears of what was thrown, or rejected with. */
export type Failed = (error: unknown) => void;

/** Sends that swallow what goes wrong, and what each does when somebody wants to hear of it. */
const telling = new WeakMap<Sink['send'], (event: ProgressEvent, failed: Failed) => void>();

/** A `send` that never throws, and that tells who handed it the event through `handOver` what went wrong. */
export function tellingSend(deliver: (event: ProgressEvent, failed: Failed) => void): Sink['send'] {
  const send = (event: ProgressEvent): void => deliver(event, () => {});
  telling.set(send, deliver);
  return send;
}

/**
 * Hands one event to a sink that nobody vouches for. It may throw, or be written in JavaScript and answer a promise that
 * rejects or never settles: `failed` hears of it, the sender does not.
 */
export function handOver(sink: Pick<Sink, 'send'>, event: ProgressEvent, failed: Failed): void {
  attempt(() => {
    const deliver = telling.get(sink.send);
    return deliver === undefined ? sink.send(event) : deliver(event, failed);
  }, failed);
}

/** Calls what nobody vouches for, and waits for nothing: `failed` hears of what it throws, and of what a promise of it rejects with. */
export function attempt(call: () => unknown, failed: Failed): void {
  try {
    const answer = call();
    if (isThenable(answer)) void Promise.resolve(answer).then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}

/** True for anything that can be awaited. By shape, because promises cross realms. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return isHolder && 'then' in value && typeof value.then === 'function';
}
