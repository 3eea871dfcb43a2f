/** How our events travel whole, and when a frame of the protocol says one by itself. */
import type { ProgressEvent } from '../../wire/event.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import { isBeyondWords } from '../beyond-words.ts';
import { recordKey } from '../record-key.ts';
import { sameEvent } from '../same-event.ts';
import { nativeWord } from './brackets.ts';
import { AG_UI_ACTIVITY, AG_UI_EVENT_KEY, HANDED_OVER, PROTOCOL, shownOf, STOPPED } from './frames.ts';
import type { AgUiFrame } from './frames.ts';
import { patchOf } from './patch-fields.ts';
import type { Held } from './patch-fields.ts';

/** The frame that says that a run failed. */
export const RUN_ERROR = 'RUN_ERROR';

/** Reads a frame back: what a frame alone says need not be carried beside it. */
export type ReadBack = (frame: AgUiFrame, run: string | undefined) => readonly ProgressEvent[];

/** The protocol's times are whole. */
export function timestampOf({ at }: { readonly at: number }): number {
  return Math.round(at);
}

/** True when the frame, read alone, is this very event. */
export function says(frames: readonly AgUiFrame[], event: ProgressEvent, run: string | undefined, readBack: ReadBack): boolean {
  const [frame, ...others] = frames;
  if (frame === undefined || others.length > 0) return false;
  // What a run is handed over for stands in its frame as well, and was told before.
  const read = readBack(frame, run).filter(({ type }) => type === event.type);
  return read.length === 1 && read[0] !== undefined && sameEvent(read[0], { ...event, session: read[0].session });
}

/** The activity that carries an event whole: a new content, or the fields that changed where the peer holds the rest. */
export function carried(event: ProgressEvent, held?: Held): AgUiFrame {
  const activityType = AG_UI_ACTIVITY[event.type === 'card' ? 'card' : event.type === 'session' ? 'session' : 'operation'];
  const head = { timestamp: timestampOf(event), messageId: recordKey(event), activityType };
  if (held !== undefined) return { type: 'ACTIVITY_DELTA', ...head, patch: patchOf(event, held) };
  return { type: 'ACTIVITY_SNAPSHOT', ...head, content: event, replace: true };
}

/** True when the peer holds a content of the operation: one of its own has none until something is said that it has no words for. */
export function isCarried(held: Operation | undefined): held is Operation {
  return held !== undefined && (nativeWord(held) === undefined || isBeyondWords(held));
}

/** An event that has no other place. */
export function custom(event: ProgressEvent): AgUiFrame {
  return { type: 'CUSTOM', timestamp: timestampOf(event), name: AG_UI_EVENT_KEY, value: event };
}

/** Between two runs what there is to say is a small run of its own, which readers of ours pass by. */
export function between(event: ProgressEvent, frames: readonly AgUiFrame[]): readonly AgUiFrame[] {
  if (frames.length === 0) return frames;
  const head = { timestamp: timestampOf(event), threadId: event.session, runId: 'sitrep:between' };
  const messageId = recordKey(event);
  return [
    shownOf({ type: 'RUN_STARTED', ...head, protocolVersion: PROTOCOL }, messageId),
    ...frames,
    shownOf({ type: 'RUN_FINISHED', ...head, outcome: { type: 'success' } }, messageId),
  ];
}

/** The frames of runs say what those were handed over for, that it was settled, what stopped with them, and why they failed. */
export function isSaidByRun(event: OperationEvent | Operation): boolean {
  const { state } = event;
  switch (nativeWord(event)) {
    case HANDED_OVER:
      return state === 'blocked';
    case 'resume':
      return state === 'running' || state === 'completed';
    case STOPPED:
      return state === 'cancelled';
    case RUN_ERROR:
      return state === 'failed' && event.id === event.run;
    default:
      return false;
  }
}
