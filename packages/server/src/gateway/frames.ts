import type { Resync, Heartbeat, End, Snapshot } from '@sitrep/schema/wire';
import type { LoggedEvent } from '../store/store.ts';

/**
 * Server-sent events as text. Event types are the fixed words of the wire and epochs are base64url, so that no field can
 * hold a line break; JSON text never does.
 */

/** One stored event: with an id, so that a reader can resume after it. */
export function eventFrame(epoch: string, { seq, type, data }: LoggedEvent): string {
  return `id: ${epoch}:${seq}\nevent: ${type}\ndata: ${data}\n\n`;
}

/** A snapshot: a reader that saw nothing else resumes after it. */
export function snapshotFrame(snapshot: Snapshot): string {
  return `id: ${snapshot.epoch}:${snapshot.seq}\nevent: snapshot\ndata: ${JSON.stringify(snapshot)}\n\n`;
}

/** Stream control. Carries no id: it is no position. */
export function controlFrame(event: Heartbeat | Resync | End): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
