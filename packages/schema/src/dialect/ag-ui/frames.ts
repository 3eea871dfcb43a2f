/** What AG-UI frames are made of here: the names we bring along, and the members both directions share. */
import { isObject } from '../../check/guards.ts';

/** The dialect's name. */
export const NAME = 'ag-ui';
/** The reason of a run that stays open because its turn waits on a person. */
export const HANDED_OVER = 'interrupt';
/** The outcome of a run that was stopped, and the word for what stopped with it. */
export const STOPPED = 'cancelled';
/** The version of the protocol that is spoken. */
export const PROTOCOL = '1.0';
/** Name of our CUSTOM event, and the key in a frame's `metadata`. */
export const AG_UI_EVENT_KEY = 'sitrep/event';
/** Type of the activity that carries an operation, a card, or the session: its content is an event of ours. */
export const AG_UI_ACTIVITY = Object.freeze({
  operation: 'sitrep/operation',
  card: 'sitrep/card',
  session: 'sitrep/session',
});

/** One event of the protocol. */
export interface AgUiFrame {
  readonly type: string;
  /** Epoch milliseconds. */
  readonly timestamp?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

const ACTIVITIES: ReadonlySet<unknown> = new Set(Object.values(AG_UI_ACTIVITY));

/** True for the activities of ours. */
export function isOwnActivity(activityType: unknown): boolean {
  return ACTIVITIES.has(activityType);
}

/** The frame as one that only shows what `messageId` carries whole: readers of ours pass it by. */
export function shownOf(frame: AgUiFrame, messageId: string): AgUiFrame {
  return { ...frame, metadata: { [AG_UI_EVENT_KEY]: messageId } };
}

/** What stands in our slot of a frame: the event itself, or the place that carries it, or nothing. */
export function slotOf(frame: Readonly<Record<string, unknown>>): unknown {
  return isObject(frame['metadata']) ? frame['metadata'][AG_UI_EVENT_KEY] : undefined;
}

/** A text of the frame, when it is one. */
export function textOf(frame: Readonly<Record<string, unknown>>, member: string): string | undefined {
  const value = frame[member];
  return typeof value === 'string' ? value : undefined;
}
