/**
 * What the protocol wants opened and closed: steps by name, subagents, and the arguments of tool calls that were its own.
 * Everything is derived from the session as it stood, so that what is open is always known: a step is under way exactly
 * while an open operation has its name.
 */
import { isFinal } from '../../wire/states.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { SessionView } from '../dialect.ts';
import { present } from '../finish.ts';
import { nativeId } from '../native.ts';
import { operationKey } from '../record-key.ts';
import { titleText } from '../text-out.ts';
import { NAME } from './frames.ts';
import type { AgUiFrame } from './frames.ts';

/** What one open operation holds open. */
export type Bracket =
  | { readonly kind: 'step'; readonly name: string; readonly owner?: string }
  | { readonly kind: 'subagent'; readonly id: string }
  | { readonly kind: 'call'; readonly id: string };

/** An operation as far as brackets go: an event over its record, or a record. */
export type Known = (OperationEvent | Operation) & { readonly state: NonNullable<OperationEvent['state']> };

/** What an operation holds open, if anything. */
export function bracketOf(known: Known): Bracket | undefined {
  if (isFinal(known.state)) return undefined;
  const word = nativeWord(known);
  const owner = ownId(known, 'subagentRunId');
  if (known.kind === 'subagent') return word === 'SUBAGENT_FINISHED' ? undefined : { kind: 'subagent', id: invocationOf(known) };
  const stepName = ownId(known, 'stepName');
  if (stepName !== undefined) return { kind: 'step', name: stepName, ...present({ owner }) } as Bracket;
  const call = ownId(known, 'toolCallId');
  if (call !== undefined) return word === 'TOOL_CALL_START' ? { kind: 'call', id: call } : undefined;
  return word === undefined ? { kind: 'step', name: titleText(known as OperationEvent) } : undefined;
}

/** The protocol's own word for where an operation stands. */
export function nativeWord({ native }: Pick<OperationEvent, 'native'>): string | undefined {
  return native?.protocol === NAME ? native.state : undefined;
}

/** One of the protocol's own ids of an operation. */
export function ownId(known: Known | OperationEvent, name: string): string | undefined {
  const id = nativeId(known as OperationEvent, NAME, name);
  return id === undefined ? undefined : String(id);
}

/** One invocation of a subagent: a new attempt is another. */
export function invocationOf(known: Known): string {
  const own = ownId(known, 'subagentRunId');
  const attempt = known.attempt ?? 1;
  // Two runs may each have an operation of this id.
  return (own ?? operationKey(known.id, known.run)) + (attempt > 1 ? `#${attempt}` : '');
}

/** True when an open operation other than `but` holds this step open. */
export function isHeld(step: Bracket & { kind: 'step' }, but: Known | OperationEvent, before: SessionView | undefined): boolean {
  for (const operation of before?.operations.values() ?? []) {
    if (operation.id === but.id && operation.run === but.run) continue;
    const other = bracketOf(operation);
    if (other?.kind === 'step' && other.name === step.name && other.owner === step.owner) return true;
  }
  return false;
}

/** Opens what an operation holds open. `parent` is named only where it is under way itself. */
export function opening(bracket: Bracket, known: Known, timestamp: number, parent: Operation | undefined): AgUiFrame {
  switch (bracket.kind) {
    case 'step':
      return { type: 'STEP_STARTED', timestamp, ...present({ subagentRunId: bracket.owner }), stepName: bracket.name };
    case 'call':
      return {
        type: 'TOOL_CALL_START',
        timestamp,
        ...present({ subagentRunId: ownId(known, 'subagentRunId') }),
        toolCallId: bracket.id,
        toolCallName: known.tool?.name ?? 'tool',
        ...present({ parentMessageId: ownId(known, 'parentMessageId') }),
      };
    case 'subagent':
      return {
        type: 'SUBAGENT_STARTED',
        timestamp,
        subagentRunId: bracket.id,
        name: titleText(known as OperationEvent),
        ...present({ description: known.message === '' ? undefined : (known.message ?? undefined), ...parentOf(known, parent) }),
      };
  }
}

function parentOf(known: Known, parent: Operation | undefined): Record<string, string | undefined> {
  const parentMessageId = ownId(known, 'parentMessageId');
  const call = ownId(known, 'parentToolCallId');
  const over = parent === undefined ? undefined : bracketOf(parent);
  const parentSubagentRunId = over?.kind === 'subagent' ? over.id : undefined;
  return {
    parentSubagentRunId,
    parentToolCallId: call ?? (parent === undefined ? undefined : ownId(parent as Known, 'toolCallId')),
    parentMessageId,
  };
}

/** Closes what an operation held open; `known` is how it stands now, or undefined when it is gone or only its run ended. */
export function closing(bracket: Bracket, known: Known | undefined, timestamp: number): AgUiFrame {
  switch (bracket.kind) {
    case 'step':
      return { type: 'STEP_FINISHED', timestamp, ...present({ subagentRunId: bracket.owner }), stepName: bracket.name };
    case 'call':
      return { type: 'TOOL_CALL_END', timestamp, toolCallId: bracket.id };
    case 'subagent':
      return subagentEnd(bracket.id, known, timestamp);
  }
}

function subagentEnd(subagentRunId: string, known: Known | undefined, timestamp: number): AgUiFrame {
  const state = known?.state ?? 'interrupted';
  if (state === 'completed') return { type: 'SUBAGENT_FINISHED', timestamp, subagentRunId, outcome: { type: 'success' } };
  if (!isFinal(state)) {
    const requestId = known?.blockedOn?.requestId;
    const outcome = { type: 'suspended', ...(requestId === undefined ? undefined : { interruptIds: [requestId] }) };
    return { type: 'SUBAGENT_FINISHED', timestamp, subagentRunId, outcome };
  }
  const code = state === 'failed' ? known?.error?.code : state;
  const message = known?.error?.message ?? (known?.reason || `Ended as ${state}.`);
  return { type: 'SUBAGENT_ERROR', timestamp, subagentRunId, message, ...present({ code }) };
}

/** The operation this one is a part of. */
export function parentIn(of: Known, before: SessionView | undefined): Operation | undefined {
  const { parent } = of;
  return parent === undefined || parent === null ? undefined : before?.find(parent, of.run);
}
