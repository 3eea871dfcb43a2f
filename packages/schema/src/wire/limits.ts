/**
 * Every bound of the wire, in one place. Text limits at the card count UTF-8 bytes, all others Unicode code points.
 * No TypeBox here: elements and reducers read these numbers too.
 */
export const LIMITS = /* @__PURE__ */ Object.freeze({
  /** Steps in one plan. */
  planSteps: 50,
  /** UTF-8 bytes of one step's text. */
  stepBytes: 512,
  /** UTF-8 bytes of a card's Markdown note. */
  noteBytes: 8192,
  /** Code points of a title (and of an active title). */
  title: 120,
  /** Code points of a message, an error message, a prompt or a waiting text. */
  message: 500,
  /** Code points of any other short word: unit, kind, reason, code, tool and server name. */
  word: 120,
  /** Code points of an identifier: session, run, operation. */
  id: 256,
  /** Operations kept per session; finished ones are let go first. */
  operations: 1000,
  /** Runs kept per session; finished ones are let go first. */
  runs: 100,
  /** Keys of operations already let go or cleared that are remembered, so that a late event cannot revive them. */
  tombstones: 10_000,
  /** JSON characters of an `ext` object. */
  ext: 16_384,
});
