import { isObject } from '../json.ts';

/** An error that an API sent in the middle of a stream. */
export interface StreamError extends Error {
  /** The API's own word for it. */
  readonly code?: string;
}

/**
 * Throws what a stream says went wrong: `{error: {message, code?, type?}}`, or the same beside a `type` of `error`. An answer
 * that broke off is none, and its calls are not to be run.
 */
export function throwFault(event: unknown): void {
  if (!isObject(event)) return;
  const said = isObject(event['error']) ? event['error'] : event['type'] === 'error' ? event : undefined;
  if (said === undefined) return;
  const { message, code, type } = said;
  const word = [code, type].find((each): each is string => typeof each === 'string' && each !== '' && each !== 'error');
  const error = new Error(typeof message === 'string' && message !== '' ? message : (word ?? 'The stream ended with an error.'));
  throw Object.assign(error, word === undefined ? undefined : { code: word });
}

/** The error for a stream that ended without saying so, in the middle of a call: half an input must not be taken for one. */
export function cutOff(name: string): Error {
  return new Error(`The stream ended in the middle of a call of ${name === '' ? 'a tool' : name}.`);
}
