import type { Issue } from '../check/issue.ts';
import type { CardRecord } from '../wire/card.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Operation } from '../wire/operation.ts';
import type { Usage } from '../wire/parts.ts';
import type { Run } from '../wire/run.ts';
import type { Id } from '../wire/scalars.ts';
import type { EventType } from '../wire/states.ts';

/** What a foreign frame leaves unsaid and the caller knows. Pure data: the clock comes in as `at`. */
export interface DecodeContext {
  readonly session: string;
  readonly run?: string | undefined;
  /** Time of receipt, epoch milliseconds; used where the frame carries none. */
  readonly at: number;
  /** Identifier of the invocation, for frames that carry none of their own. */
  readonly id?: Id | undefined;
  /** Identifier of the parent operation, where the transport knows it. */
  readonly parent?: Id | undefined;
  /** Revision of the session's card as the caller holds it; a list without a revision of its own becomes the next one. Default: 0. */
  readonly revision?: number | undefined;
  /**
   * The session as the caller holds it. A reader without memory, which begins in the middle of a stream, finds there what it
   * did not hear. Only read.
   */
  readonly held?: SessionView | undefined;
}

/** A frame that carries no state but says that some changed at the peer: fetch again, apply nothing, delete nothing. */
export interface ChangeHint {
  readonly kind: 'card';
  /** The peer's key of what changed. */
  readonly session: string;
  /** The revision it names, or null where it says there is none. Not to be applied. */
  readonly revision: number | null;
}

/**
 * A session as its holder knows it, before the event that is to be written. A `SessionIndex` is one. What it hands out is
 * only read.
 */
export interface SessionView {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly runs: ReadonlyMap<string, Run>;
  readonly card: CardRecord;
  readonly title?: string | undefined;
  readonly usage?: Usage | undefined;
  /** The operation with this id in this run. */
  find(id: Id, run?: string): Operation | undefined;
}

/** The frame was read: events (possibly none), and what else is to be known about the reading. */
export interface DecodedFrame<Memory = unknown> {
  readonly ok: true;
  readonly events: readonly ProgressEvent[];
  /** What was not as it should be and was mended. Absent when nothing was. The events stand all the same. */
  readonly mended?: readonly Issue[];
  /** Present when the frame was only a notice of a change. */
  readonly hint?: ChangeHint;
  /** What the next frame of the same stream is to be read with. Absent: the same as before. Never changed in place. */
  readonly memory?: Memory;
}

/** Our events for one foreign frame, or why it could not be read. A frame may yield several events, or none. */
export type Decoded<Memory = unknown> = DecodedFrame<Memory> | { readonly ok: false; readonly issues: readonly Issue[] };

/** Foreign frames for one of our events; empty when the peer has no words for it. */
export type Encoded<Frame> = readonly Frame[];

/**
 * A pure pair of functions between a foreign shape and our events. No class, no state, no I/O, no default it cannot
 * justify. The file's header lists what is lost on the way out.
 *
 * Peers that say things piece by piece (a patch of what they said before, one task of a list) need what came before.
 * Decoding then answers a `memory` to be handed in with the next frame of that stream; encoding is handed the session as
 * it stood. Both are optional: without them each frame is read, and each event written, as if it were the first.
 */
export interface Dialect<Frame, Context extends DecodeContext = DecodeContext, Memory = unknown> {
  /** The name used in `?dialect=` and in `native.protocol`. */
  readonly name: string;
  /**
   * Types of our events that come back as they went out, because the peer has a place where the whole event can travel.
   * Empty where it has none.
   */
  readonly whole: readonly EventType[];
  /**
   * Which way alone it goes: `in` is only read and `encode` answers no frames, `out` is only written and `decode` refuses.
   * Absent: both ways.
   */
  readonly only?: 'in' | 'out';
  /** True when the frame is certainly of this shape. */
  detect(frame: unknown): boolean;
  /** Reads one frame; mends what can be mended and reports what cannot. Never throws. A frame that is refused changes no memory. */
  decode(frame: unknown, context: Context, memory?: Memory): Decoded<Memory>;
  /**
   * Writes one event in the peer's words. Never throws. An event says only what changed; a peer whose frames are whole
   * gets them from the session `before` it, or is best given whole records (`eventOf`) where there is none.
   */
  encode(event: ProgressEvent, before?: SessionView): Encoded<Frame>;
}
