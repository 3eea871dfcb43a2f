import type { ConnectionState } from '@sitrep/schema/select';
import type { Diagnostic } from '../source/source.ts';

/** One frame as text, and its cursor where it has one: text goes to many pages at a fraction of what objects cost. */
export type SharedFrame = readonly [json: string, cursor?: string | undefined];

/**
 * What pages that share a connection say to each other. One of them leads: it has the connection. `term` orders leaders, so
 * that a late word of a former one is told from the new one's. `from` is the page that speaks, `to` the only one meant.
 */
export type SharedMessage =
  /** A page asks for what came after `cursor`, or for everything; `term` is that of the newest leader it knows of. */
  | { readonly sitrep: 'hello'; readonly from: string; readonly term: number; readonly cursor?: string | undefined }
  /** The leader's: here I am, this is how far I am. At the beginning, once an interval, and before the answer to one page. */
  | {
      readonly sitrep: 'lead';
      readonly from: string;
      readonly term: number;
      readonly to?: string | undefined;
      readonly place?: string | undefined;
      readonly state: ConnectionState;
    }
  /** What comes, for all; or the answer to one page: what it lacks after the cursor it named, null if it named none. */
  | {
      readonly sitrep: 'frames';
      readonly from: string;
      readonly term: number;
      readonly to?: string | undefined;
      readonly after?: string | null | undefined;
      readonly frames: readonly SharedFrame[];
    }
  | { readonly sitrep: 'diagnostic'; readonly from: string; readonly term: number; readonly diagnostic: Diagnostic };

/** The message, if it is one of ours: other scripts of the origin may use the channel's name too. */
export function sharedMessage(data: unknown): SharedMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { sitrep, from, term, frames } = data as Partial<Record<string, unknown>>;
  if (typeof sitrep !== 'string' || typeof from !== 'string') return undefined;
  if (!Number.isSafeInteger(term)) return undefined;
  if (sitrep === 'frames' && !(Array.isArray(frames) && frames.every(isFrame))) return undefined;
  return data as SharedMessage;
}

function isFrame(frame: unknown): frame is SharedFrame {
  return Array.isArray(frame) && typeof frame[0] === 'string' && (frame[1] === undefined || typeof frame[1] === 'string');
}
