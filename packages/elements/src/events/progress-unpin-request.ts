/** The reader asks to take a session off a board. The page answers it, by handing over the sessions without it. */
export class ProgressUnpinRequestEvent extends Event {
  static readonly type = 'progress-unpin-request';
  /** The session, as the page named it. */
  readonly session: string;

  constructor(session: string) {
    super(ProgressUnpinRequestEvent.type, { bubbles: true, composed: true });
    this.session = session;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-unpin-request': ProgressUnpinRequestEvent;
  }
}
