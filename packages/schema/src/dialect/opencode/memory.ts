import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { Stretch } from '../agent-stream.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext } from '../dialect.ts';
import { entryOf } from '../entries.ts';
import type { Entries } from '../entries.ts';
import { present } from '../finish.ts';
import { heldOperations, heldRun, stretchOf } from '../held.ts';

/** What the caller knows beyond the frame. */
export interface OpenCodeContext extends DecodeContext {
  /** OpenCode's id of the session that is read. Default: the first of the stream that is nobody's child. */
  readonly sessionID?: string | undefined;
}

/** A session of a subagent: the attempt it is in, and the call that started it once that is known. */
export interface Child extends Stretch {
  /** The turn it was first seen in: it keeps its place. */
  readonly run: string | undefined;
  readonly call?: string | undefined;
}

/** What a request to a person blocks; `own` where that is the request itself. */
export interface Request {
  readonly operation: string;
  readonly run: string | undefined;
  readonly own: boolean;
}

/** What the stream said before. */
export interface OpenCodeMemory extends CardMemory {
  readonly main?: string | undefined;
  /** Title and usage as they were last told. */
  readonly about?: string | undefined;
  /** The turn under way; the newest message of the person; the newest turn that is over. */
  readonly run?: string | undefined;
  readonly next?: string | undefined;
  readonly last?: string | undefined;
  readonly children?: Entries<Child> | undefined;
  /** Open requests to a person. */
  readonly requests?: Entries<Request> | undefined;
  /** The turn each call was first seen in: what it says after the end of that turn is late and no other call. */
  readonly calls?: Entries<string | undefined> | undefined;
  /** Calls that only write the list. */
  readonly lists?: Entries<true> | undefined;
  /** The wait for another try. */
  readonly retry?: Stretch | undefined;
}

/** What is known of the stream at its first event: the turn under way, sessions of subagents, open requests, the wait. */
export function recalled(context: OpenCodeContext): OpenCodeMemory {
  const run = heldRun(context, NAME);
  const children: [string, Child][] = [];
  const requests: [string, Request][] = [];
  let retry: Stretch | undefined;
  for (const operation of heldOperations(context, NAME)) {
    const { id, kind, parent, state, blockedOn } = operation;
    if (kind === 'subagent')
      children.push([
        String(id),
        { ...stretchOf(operation), run: operation.run, ...(typeof parent === 'string' ? { call: parent } : undefined) },
      ]);
    else if (state === 'blocked' && typeof blockedOn?.requestId === 'string')
      requests.push([blockedOn.requestId, { operation: String(id), run: operation.run, own: kind === 'request' }]);
    else if (kind === 'retry' && operation.run === run) retry = stretchOf(operation);
  }
  return present({
    run,
    children: children.length === 0 ? undefined : children.slice(-MAX_REMEMBERED),
    requests: requests.length === 0 ? undefined : requests.slice(-MAX_REMEMBERED),
    retry,
  });
}

/** One event being read: what is known, and what has come of it so far. */
export interface Reading {
  /** The caller's, with the time of the event where it says so. */
  readonly context: OpenCodeContext;
  readonly memory: OpenCodeMemory;
  readonly events: ProgressEvent[];
  readonly mended: Issue[];
  /** The event's number in its session's history, where it is kept there. */
  readonly seq: number | undefined;
}

export const NAME = 'opencode';

/** Calls, children and open requests that are remembered. */
export const MAX_REMEMBERED = 256;

/** The run of what happens now: the caller's, else the turn under way. */
export function runOf({ context, memory }: Reading): string | undefined {
  return context.run ?? memory.run;
}

/** What something in this session is part of: the subagent whose session it is, or what the caller says. */
export function parentOf({ context, memory }: Reading, session: unknown) {
  return typeof session === 'string' && entryOf(memory.children, session) !== undefined ? session : context.parent;
}
