import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { DecodeContext } from '../dialect.ts';
import type { Entries } from '../entries.ts';
import { present } from '../finish.ts';
import { heldOperations, heldRun } from '../held.ts';

/** Calls of the client that are remembered. */
export const MAX_CALLS = 256;

/** What the stream said before. */
export interface ResponsesMemory {
  /** The response under way, or the last one. */
  readonly response?: string | undefined;
  /** Calls the client has to run, and whose output has not been seen. */
  readonly calls?: Entries<true> | undefined;
  readonly tokens?: number | undefined;
  /** The response whose tokens are in the sum already. */
  readonly counted?: string | undefined;
}

/** What is known of the stream at its first frame: the response under way, calls the client has not answered, tokens. */
export function recalled(context: DecodeContext): ResponsesMemory {
  const calls = heldOperations(context, 'openai-responses').filter(({ state, reason }) => state === 'waiting' && reason === 'client_call');
  return present({
    response: heldRun(context, 'openai-responses'),
    calls: calls.length === 0 ? undefined : calls.slice(-MAX_CALLS).map(({ id }) => [String(id), true] as const),
    tokens: context.held?.usage?.tokens,
  });
}

/** One frame being read. */
export interface Reading {
  readonly context: DecodeContext;
  memory: ResponsesMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
  /** The number of the frame in its stream. */
  readonly seq: number | undefined;
}
