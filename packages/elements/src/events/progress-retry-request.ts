import type { Operation } from '@sitrep/schema';

/**
 * The reader asks to try again: an operation that did not succeed, or, without one, to load the session. The element
 * loads its session again by itself unless the page prevents the default.
 */
export class ProgressRetryRequestEvent extends Event {
  static readonly type = 'progress-retry-request';
  /** What to run again; undefined when the session itself could not be loaded. */
  readonly operation: Operation | undefined;

  constructor(operation?: Operation) {
    super(ProgressRetryRequestEvent.type, { bubbles: true, composed: true, cancelable: true });
    this.operation = operation;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-retry-request': ProgressRetryRequestEvent;
  }
}
