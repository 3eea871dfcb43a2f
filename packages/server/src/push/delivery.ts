import type { Notice, NoticeSlot } from '@sitrep/schema/select';
import { isAsking, noticeTag, progressNotice } from '@sitrep/schema/select';
import type { NoticeSession } from '@sitrep/schema/select';
import type { PushMessage } from './message.ts';
import { recordKey } from './record-key.ts';

/** Kind of the records below. */
export const DELIVERY = 'push.delivery';

/** What stands in the place of progress of what was taken away. */
const OVER = 'Nothing is under way any more';
/** What stands in the place of a request once nothing is asked any more. */
const ANSWERED = 'Nothing needs you any more';

/** What one subscription is still to be told. There is one for each place of a session, the newest. */
export interface Delivery {
  /** Id of the subscription. */
  readonly subscription: string;
  readonly user: string;
  readonly session: string;
  readonly slot: NoticeSlot;
  /** Null when the place is to be empty. */
  readonly notice: Notice | null;
  readonly id: string;
  /** When it became true, epoch milliseconds. */
  readonly at: number;
  /** When it may be tried, epoch milliseconds. */
  readonly notBefore: number;
  /** How often it was tried. */
  readonly tries: number;
}

export function deliveryKey({ subscription, session, slot }: Pick<Delivery, 'subscription' | 'session' | 'slot'>): string {
  return recordKey(subscription, session, slot);
}

/**
 * The message of a delivery. A status message takes an attention away that nothing asks for any more. Where only that is
 * to be done, what goes on is shown beside it, else that nothing is asked: a browser wants to see something for each push.
 */
export function messageOf({ notice, slot, session, id, at }: Delivery, now: NoticeSession): PushMessage {
  const attention = noticeTag(session, 'attention');
  const show = notice ?? progressNotice(now) ?? answered(now, attention);
  const close = show.slot === 'status' && !isAsking(now) ? [attention] : undefined;
  return messageFor(show, `${id} ${slot}`, at, close);
}

/** A notice as a message. */
export function messageFor(notice: Notice, id: string, at: number, close?: readonly string[]): PushMessage {
  const { session, slot, tag, title, body, alert } = notice;
  return { sitrep: 1, session, slot, tag, title, body, alert, id, at, ...(close ? { close } : {}) };
}

/** True when something is newer than what else there is of the same session: by its position, or else by its time. */
export function isNewer(a: Pick<Delivery, 'id' | 'at'>, b: Pick<Delivery, 'id' | 'at'>): boolean {
  const [epoch, seq] = a.id.split(':');
  const [other, otherSeq] = b.id.split(':');
  return epoch === other ? Number(seq) > Number(otherSeq) : a.at > b.at;
}

/** What replaces progress, where `progressNotice` has none any more and no end replaced it; undefined while somebody is asked. */
export function overNotice(session: NoticeSession): Notice | undefined {
  if (isAsking(session)) return undefined;
  const { session: name, title } = session;
  return { slot: 'status', tag: noticeTag(name, 'status'), session: name, title: title || name, body: OVER, alert: false };
}

function answered({ session, title }: NoticeSession, tag: string): Notice {
  return { slot: 'attention', tag, session, title: title || session, body: ANSWERED, alert: false };
}
