import { createHash } from 'node:crypto';
import { truncateBytes } from '@sitrep/schema/check';
import type { Notice } from '@sitrep/schema/select';

/** Bytes of a message before it is encrypted: with what that adds it is the 4,096 that push services take. */
export const MAX_MESSAGE = 3_993;

/** What a service worker is sent, as JSON. Every message shows something. */
export interface PushMessage {
  /** Version of this shape. */
  readonly sitrep: 1;
  readonly session: string;
  readonly slot: Notice['slot'];
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly alert: boolean;
  /** The same in every repeat of one message, so that it is noticed once. */
  readonly id: string;
  /** When it was true, epoch milliseconds by the gateway's clock: an older one does not replace a newer. */
  readonly at: number;
  /** Tags of places that are to be empty. */
  readonly close?: readonly string[];
}

/** How a push service is to treat a message. */
export interface Treatment {
  /** Seconds it is kept for a device that is away. */
  readonly ttl: number;
  readonly urgency: 'low' | 'normal' | 'high';
}

const DAY = 86_400;
/** Bytes two texts that are equally long are shortened by in turn. */
const STEP = 64;

/** Progress is old soon; what has to be known waits for the device. */
export function treatmentOf(message: Pick<PushMessage, 'slot' | 'alert'>, isProgress: boolean): Treatment {
  if (isProgress) return { ttl: 120, urgency: 'low' };
  if (!message.alert) return { ttl: DAY, urgency: 'low' };
  return { ttl: DAY, urgency: message.slot === 'attention' ? 'high' : 'normal' };
}

/** The message as bytes, at most so many: the longest of its texts is shortened, on a code point, until it fits. */
export function encodeMessage(message: PushMessage, maxBytes: number = MAX_MESSAGE): Buffer {
  // No more is looked at than could fit, however long a text is.
  let title = truncateBytes(message.title, maxBytes);
  let body = truncateBytes(message.body, maxBytes);
  for (;;) {
    const bytes = Buffer.from(JSON.stringify({ ...message, title, body }));
    const excess = bytes.length - maxBytes;
    if (excess <= 0 || (title === '' && body === '')) return bytes;
    // Down to about the length of the other one, then in turn. In JSON a character may be longer than in itself: what is still too long goes round once more.
    const ahead = Buffer.byteLength(body) - Buffer.byteLength(title);
    const cut = Math.min(excess, Math.max(STEP, Math.abs(ahead)));
    if (ahead >= 0) body = shorter(body, cut);
    else title = shorter(title, cut);
  }
}

function shorter(text: string, excess: number): string {
  const bytes = Buffer.byteLength(text);
  const cut = truncateBytes(text, Math.max(0, bytes - excess));
  return Buffer.byteLength(cut) < bytes ? cut : truncateBytes(text, Math.max(0, bytes - 4));
}

/**
 * The topic of a place for one device: a message that waits is replaced by the next of the same topic. 32 characters of
 * base64url, made with the device's own secret, so that a push service learns nothing from it.
 */
export function topicOf(tag: string, secret: string): string {
  return createHash('sha256').update(`${secret} ${tag}`).digest('base64url').slice(0, 32);
}
