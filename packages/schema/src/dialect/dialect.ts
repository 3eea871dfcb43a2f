import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Id } from '../wire/scalars.ts';

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
}

/** A frame that carries no state but says that some changed at the peer: fetch again, apply nothing, delete nothing. */
export interface ChangeHint {
  readonly kind: 'card';
  /** The peer's key of what changed. */
  readonly session: string;
  /** The revision it names, or null where it says there is none. Not to be applied. */
  readonly revision: number | null;
}

/** The frame was read: events (possibly none), and what else is to be known about the reading. */
export interface DecodedFrame {
  readonly ok: true;
  readonly events: readonly ProgressEvent[];
  /** What was not as it should be and was mended. Absent when nothing was. The events stand all the same. */
  readonly mended?: readonly Issue[];
  /** Present when the frame was only a notice of a change. */
  readonly hint?: ChangeHint;
}

/** Our events for one foreign frame, or why it could not be read. A frame may yield several events, or none. */
export type Decoded = DecodedFrame | { readonly ok: false; readonly issues: readonly Issue[] };

/** Foreign frames for one of our events; empty when the peer has no words for it. */
export type Encoded<Frame> = readonly Frame[];

/**
 * A pure pair of functions between a foreign shape and our events. No class, no state, no I/O, no default it cannot
 * justify. The file's header lists what is lost on the way out.
 */
export interface Dialect<Frame, Context extends DecodeContext = DecodeContext> {
  /** The name used in `?dialect=` and in `native.protocol`. */
  readonly name: string;
  /** True when the frame is certainly of this shape. */
  detect(frame: unknown): boolean;
  /** Reads one frame; mends what can be mended and reports what cannot. Never throws. */
  decode(frame: unknown, context: Context): Decoded;
  /**
   * Writes one event in the peer's words. Never throws. An event says only what changed; a peer whose frames are whole
   * is best given whole records (`eventOf`), because what an event leaves out cannot be known here.
   */
  encode(event: ProgressEvent): Encoded<Frame>;
}
