import type { OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { begun, operationEvent, over } from '../agent-stream.ts';
import { entryOf, withEntry } from '../entries.ts';
import { nativeOf } from '../native.ts';
import { MAX_REMEMBERED, NAME, runOf } from './memory.ts';
import type { Child, OpenCodeMemory, Reading } from './memory.ts';

/** A session that another one started is an operation named by it. Sent on again after it had ended, it is a new attempt. */

type Members = { readonly [Key in 'title' | 'waitingOn' | 'reason' | 'error']?: OperationEvent[Key] | undefined };

/** `session.created` or `session.updated` of a child. */
export function childBegan(
  reading: Reading,
  id: string,
  { title, parent }: { readonly title: string | undefined; readonly parent: string | undefined },
): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  if (entryOf(memory.children, id) !== undefined) return undefined;
  events.push(
    operationEvent(context, runOf(reading), id, {
      state: 'pending',
      kind: 'subagent',
      title,
      parent: parent === memory.main ? context.parent : parent,
      native: nativeOf(NAME, undefined, { sessionID: id }),
    }),
  );
  return { ...memory, children: withEntry<Child>(memory.children, id, { attempt: 1, open: true, run: runOf(reading) }, MAX_REMEMBERED) };
}

/** A call says which session it started. */
export function childOfCall(reading: Reading, id: unknown, call: string): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  if (typeof id !== 'string' || id === memory.main) return undefined;
  const child = entryOf(memory.children, id);
  if (child?.call === call) return undefined;
  const next: Child = {
    attempt: child?.attempt ?? 1,
    open: child?.open ?? true,
    run: child === undefined ? runOf(reading) : child.run,
    call,
  };
  events.push(operationEvent(context, next.run, id, { ...attemptOf(next), kind: 'subagent', parent: call }));
  return { ...memory, children: withEntry(memory.children, id, next, MAX_REMEMBERED) };
}

/** What a child does now. An end that is said twice is one end. */
export function childChanged(reading: Reading, id: string, state: OperationState, members: Members): OpenCodeMemory | undefined {
  const { context, memory, events } = reading;
  const held = entryOf(memory.children, id);
  if (held === undefined || (isFinal(state) && !held.open)) return undefined;
  const next: Child = { ...begun(held), run: held.run, call: held.call };
  events.push(
    operationEvent(context, next.run, id, {
      ...attemptOf(next),
      state,
      ...(isFinal(state) ? { reason: null } : undefined),
      ...members,
      // A new attempt has nothing of the peer's words yet.
      native: next.attempt === held.attempt ? undefined : nativeOf(NAME, undefined, { sessionID: id }),
    }),
  );
  const after = isFinal(state) ? { ...next, ...over(next) } : next;
  if (after.open === held.open && after.attempt === held.attempt) return undefined;
  return { ...memory, children: withEntry<Child>(memory.children, id, after, MAX_REMEMBERED) };
}

function attemptOf({ attempt }: Child): { attempt?: number } {
  return attempt === 1 ? {} : { attempt };
}
