import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { OperationState } from '../../wire/states.ts';
import { begun, operationEvent, over } from '../agent-stream.ts';
import type { Stretch } from '../agent-stream.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext } from '../dialect.ts';
import { entryOf, withEntry } from '../entries.ts';
import type { Entries } from '../entries.ts';
import { heldStretch } from '../held.ts';

export const NAME = 'claude';

/** Calls, tasks and requests that are remembered. */
export const MAX_REMEMBERED = 256;

/** Calls of the tools that write the list, each with what it was given, that are remembered. */
export const MAX_LISTS = 32;

/** A call that was begun. */
export interface Call {
  readonly run: string | undefined;
}

/** A call of one of the tools that write the list: what it was given is kept until it is known to have worked. */
export interface ListCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The call that a request blocks; `own` where the request is an operation of its own, with its name. */
export interface Request {
  readonly call: string;
  readonly run: string | undefined;
  readonly own: boolean;
}

/** A task as it was last told of. */
export interface Task {
  /** The newest run of it; runs of one task sort as text. */
  readonly runId?: string | undefined;
  readonly attempt: number;
  readonly open: boolean;
  readonly background: boolean;
}

/** One task of the list the Task tools keep. */
export interface ListItem {
  readonly id: string;
  readonly content: string;
  readonly status: string;
}

/** What the stream, or the hooks of the session, said before. */
export interface ClaudeMemory extends CardMemory {
  /** The turn under way. */
  readonly run?: string | undefined;
  /** The turn that was over last. */
  readonly last?: string | undefined;
  /** The prompt that hooks told of, and of no end of it. */
  readonly prompt?: string | undefined;
  readonly calls?: Entries<Call> | undefined;
  readonly lists?: Entries<ListCall> | undefined;
  readonly tasks?: Entries<Task> | undefined;
  readonly list?: readonly ListItem[] | undefined;
  /** Requests to a person that are open. */
  readonly requests?: Entries<Request> | undefined;
  /** Waits and other stretches without an id, by the name their operation has. */
  readonly stretches?: Entries<Stretch & { readonly run: string | undefined; readonly about?: string | undefined }> | undefined;
}

/** One frame being read. The memory moves on as its parts are read. */
export interface Reading {
  readonly context: DecodeContext;
  memory: ClaudeMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
}

/** The run of what happens now: the caller's, else the turn under way. */
export function runOf({ context, memory }: Reading): string | undefined {
  return context.run ?? memory.run;
}

type Members = {
  readonly [Key in 'kind' | 'title' | 'message' | 'blockedOn' | 'waitingOn' | 'reason' | 'parent']?: OperationEvent[Key] | undefined;
};

function attemptOf({ attempt }: Stretch): { attempt?: number } {
  return attempt === 1 ? {} : { attempt };
}

/** The stretch as it was told of here, else as the session holds it. */
function stretchOf(reading: Reading, name: string): (Stretch & { readonly run: string | undefined }) | undefined {
  const known = entryOf(reading.memory.stretches, name);
  if (known !== undefined || reading.context.held === undefined) return known;
  const run = runOf(reading);
  const held = heldStretch(reading.context, name, run);
  return held && { ...held, run };
}

/** A stretch begins, or is told of again. `about` says what will end it. */
export function stretchBegins(reading: Reading, name: string, state: OperationState, members: Members, about?: string): void {
  const held = stretchOf(reading, name);
  const run = held?.open === true ? held.run : runOf(reading);
  // In another turn it is another operation, which begins with its first attempt.
  const next = { ...begun(held?.run === run ? held : undefined), run, about };
  reading.events.push(operationEvent(reading.context, run, name, { ...attemptOf(next), state, ...members }));
  reading.memory = { ...reading.memory, stretches: withEntry(reading.memory.stretches, name, next, MAX_REMEMBERED) };
}

/** A stretch is over, if it was open. */
export function stretchEnds(reading: Reading, name: string, state: OperationState = 'completed', error?: OperationEvent['error']): void {
  const held = stretchOf(reading, name);
  if (held?.open !== true) return;
  reading.events.push(operationEvent(reading.context, held.run, name, { ...attemptOf(held), state, error }));
  const next = { ...over(held), run: held.run };
  reading.memory = { ...reading.memory, stretches: withEntry(reading.memory.stretches, name, next, MAX_REMEMBERED) };
}

/** The turn is over, and with it whatever of this is still open: in it, or at all. */
export function stretchesEnd(reading: Reading, state: OperationState, run?: string): void {
  for (const [name, stretch] of reading.memory.stretches ?? [])
    if (stretch.open && (run === undefined || stretch.run === run)) stretchEnds(reading, name, state);
}
