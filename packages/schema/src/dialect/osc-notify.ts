/**
 * Desktop notices by way of the terminal, written only: OSC 99, `ESC ] 99 ; metadata ; payload ST`, with id, urgency and
 * occasion, in chunks of at most 2,048 bytes. A frame is one complete sequence as text. `osc777` writes the same as OSC
 * 777 `notify;title;body` for terminals that only know that.
 *
 * A session has two notices that replace themselves: how it ended (a run, or an operation on its own), and what it needs
 * of a person, which is taken back once nothing is blocked. Neither progress nor the ends of a run's operations are told.
 *
 * Lost on the way out: everything but that. There is nothing to read back: answers of the terminal say what a person
 * clicked, not how work stands.
 */
import type { Dialect } from './dialect.ts';
import { refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { noticesOf } from './osc/notices.ts';
import { osc99, osc99Close } from './osc/notification.ts';

/** The dialect of desktop notices in terminals. */
export const oscNotify: Dialect<string> = guarded({
  name: 'osc-notify',
  whole: [],
  only: 'out',
  detect: () => false,
  decode: () => refuse('', 'unknown_type', 'cannot be read: notices are only written.'),
  encode: (event, before) =>
    noticesOf(event, before).flatMap((notice) => ('show' in notice ? osc99(notice.show) : [osc99Close(notice.close)])),
});

export { noticesOf } from './osc/notices.ts';
export type { OscNotice } from './osc/notices.ts';
export { osc777, osc99, osc99Close } from './osc/notification.ts';
export type { OscNotification } from './osc/notification.ts';
