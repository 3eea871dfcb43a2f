/**
 * The reader opens or closes the details of an element. Where the page prevents the default they stay as they are, and it goes on being
 * the page's `open` that decides.
 */
export class ProgressToggleEvent extends Event {
  static readonly type = 'progress-toggle';
  /** True when the details are open from now on. */
  readonly open: boolean;

  /** `cancelable`: not where it only tells of what has happened. */
  constructor(open: boolean, cancelable = true) {
    super(ProgressToggleEvent.type, { bubbles: true, composed: true, cancelable });
    this.open = open;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-toggle': ProgressToggleEvent;
  }
}
