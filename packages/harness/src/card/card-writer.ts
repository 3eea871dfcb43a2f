import type { Issue } from '@sitrep/schema/check';
import type { Card, CardPut } from '@sitrep/schema/wire';

/** Counts of a plan. */
export interface StepCounts {
  readonly completed: number;
  readonly total: number;
}

/** What is written: the whole card, and where the writer stands. */
export type CardWrite = CardPut & {
  /** The run that writes, so that a reader knows whether the card belongs to the turn that is going on. */
  readonly run?: string | undefined;
};

/** What became of a card write. Only `ok: true` changed anything; `unavailable` may have. */
export type CardPutResult =
  | {
      readonly ok: true;
      /** Revision of this write, clears included. 0 when a card that never was is cleared. */
      readonly revision: number;
      /** Counts of the plan; null without one. */
      readonly steps: StepCounts | null;
      /** True when this write cleared the card. */
      readonly cleared: boolean;
    }
  | {
      readonly ok: false;
      /** `expectedRevision` was not the card's revision. Nothing was written. */
      readonly code: 'conflict';
      /** The card as it stands, and its revision. */
      readonly revision: number;
      readonly card: Card | null;
    }
  | {
      readonly ok: false;
      /** The body failed the check. Nothing was written. */
      readonly code: 'invalid';
      readonly issues: readonly Issue[];
    }
  | {
      readonly ok: false;
      /** No answer could be had: whether it was written is not known. */
      readonly code: 'unavailable';
      readonly message: string;
    };

/** Keeps cards. A gateway is one in process; `createHttpCardWriter` is one over HTTP. */
export interface CardWriter {
  /**
   * Replaces the session's card, or clears it when the plan is empty or absent and the note blank. Never rejects: what
   * went wrong is in the answer. `signal` gives up waiting.
   */
  put(session: string, body: CardWrite, options?: { readonly signal?: AbortSignal | undefined }): Promise<CardPutResult>;
}
