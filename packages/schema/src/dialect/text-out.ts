import { truncate } from '../check/text/truncate.ts';
import { LIMITS } from '../wire/limits.ts';
import { isFinal } from '../wire/states.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';

/** A title for a peer that must have one: the title, else the tool, else the kind, else the id. Never empty. */
export function titleText({ id, title, activeTitle, tool, kind }: OperationEvent): string {
  return firstText([title, activeTitle, tool?.name, kind]) ?? truncate(String(id), LIMITS.title);
}

/**
 * What there is to say beside the title, with our own word for the state in front where the peer has none: "cancelled",
 * "blocked: Allow the command?". What the state itself says, why it failed or what it waits for, goes before the message,
 * which may be older. Empty when there is nothing.
 */
export function detailText(event: OperationEvent, known: readonly OperationState[]): string {
  const { state, message, error } = event;
  const text = firstText([ofState(event), message, error?.message]) ?? '';
  if (state === undefined || known.includes(state) || !needsWord(state)) return text;
  return truncate(text === '' ? state : `${state}: ${text}`, LIMITS.message);
}

function ofState({ state, error, blockedOn, waitingOn }: OperationEvent): string | undefined {
  switch (state) {
    case 'blocked':
      return blockedOn?.prompt;
    case 'waiting':
      return waitingOn?.text;
    case 'failed':
    case 'denied':
      return error?.message;
    default:
      return undefined;
  }
}

/** Pending and waiting are told well enough by a bar that runs; the others would be mistaken for something else. */
function needsWord(state: OperationState): boolean {
  return isFinal(state) || state === 'blocked' || state === 'paused';
}

function firstText(texts: readonly (string | null | undefined)[]): string | undefined {
  return texts.find((text) => text !== undefined && text !== null && text !== '') ?? undefined;
}
