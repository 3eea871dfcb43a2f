/** The reader opened or closed the details of an element. */
export class ProgressToggleEvent extends Event {
  static readonly type = 'progress-toggle';
  /** True when the details are open now. */
  readonly open: boolean;

  constructor(open: boolean) {
    super(ProgressToggleEvent.type, { bubbles: true, composed: true });
    this.open = open;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-toggle': ProgressToggleEvent;
  }
}
