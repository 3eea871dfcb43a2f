import type { PushMessage } from './message.ts';

/** What a notification carries for the worker's own use. */
export interface Carried {
  readonly session: string;
  readonly at: number;
  readonly id?: string | undefined;
  readonly alert?: boolean | undefined;
}

/** What is to be remembered with a message that is shown. */
export function carried({ session, at, id, alert }: PushMessage): Carried {
  return { session, at, id, alert };
}

/**
 * True when what stands is newer than a message of the same place: two may overtake each other on their way. The position says so,
 * `epoch:seq`, because a clock may be set back; the time only where the epochs are not the same.
 */
export function isNewer(standing: unknown, message: PushMessage): boolean {
  const { at, id } = (standing ?? {}) as Partial<Carried>;
  if (typeof at !== 'number') return false;
  // One that an earlier version of the worker showed.
  if (id === undefined) return at > message.at;
  const [held, own] = [positionOf(id), positionOf(message.id)];
  if (!held || !own) return false;
  return held.epoch === own.epoch ? held.seq > own.seq : at > message.at;
}

/** True when what stands was to be noticed. */
export function isAlert(standing: unknown): boolean {
  return ((standing ?? {}) as Partial<Carried>).alert === true;
}

function positionOf(id: string): { readonly epoch: string; readonly seq: number } | undefined {
  const [, epoch, seq] = /^(.*):(\d+)(?: |$)/.exec(id) ?? [];
  return epoch === undefined ? undefined : { epoch, seq: Number(seq) };
}
