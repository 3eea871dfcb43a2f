import type { Operation } from '@sitrep/schema';

/**
 * The reader opens or closes the details of an element. Where the page prevents the default they stay as they are, and it goes on being
 * the page's `open` that decides.
 */
export class ProgressToggleEvent extends Event {
  static readonly type = 'progress-toggle';
  /** True when the details are open from now on. */
  readonly open: boolean;
  /** Whose details they are; undefined for what stands for no operation, such as a card. */
  readonly operation: Operation | undefined;

  /** `cancelable`: not where it only tells of what has happened. */
  constructor(open: boolean, cancelable = true, operation?: Operation) {
    super(ProgressToggleEvent.type, { bubbles: true, composed: true, cancelable });
    this.open = open;
    this.operation = operation;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-toggle': ProgressToggleEvent;
  }
}
