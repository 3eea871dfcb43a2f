/** The reader asks to put a session elsewhere on a board. The page answers it, by handing over the sessions in another order. */
export class ProgressMoveRequestEvent extends Event {
  static readonly type = 'progress-move-request';
  /** The session, as the page named it. */
  readonly session: string;
  /** By how many places: -1 one earlier, 1 one later. */
  readonly by: number;
  /** The sessions in the order that is asked for; empty where the page itself put the widgets on the board. */
  readonly order: readonly string[];

  constructor(session: string, by: number, order: readonly string[] = []) {
    super(ProgressMoveRequestEvent.type, { bubbles: true, composed: true });
    this.session = session;
    this.by = by;
    this.order = order;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-move-request': ProgressMoveRequestEvent;
  }
}
