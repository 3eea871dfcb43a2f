import type { Changes, End, Heartbeat, Resync, Snapshot } from '@sitrep/schema/wire';
import type { LoggedEvent } from '../../store/store.ts';

/**
 * Server-sent events as text. Event types are the fixed words of the wire and epochs are base64url, so that no field can
 * hold a line break; JSON text never does.
 */

/** One stored event: with an id, so that a reader can resume after it. */
export function eventFrame(epoch: string, { seq, type, data }: LoggedEvent): string {
  return `id: ${epoch}:${seq}\nevent: ${type}\ndata: ${data}\n\n`;
}

/** A snapshot, or changes: a reader that has taken it resumes after it. */
export function stateFrame(state: Snapshot | Changes, data = JSON.stringify(state)): string {
  return `id: ${state.epoch}:${state.seq}\nevent: ${state.type}\ndata: ${data}\n\n`;
}

/** Stream control. Carries no id: it is no position. */
export function controlFrame(event: Heartbeat | Resync | End): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
