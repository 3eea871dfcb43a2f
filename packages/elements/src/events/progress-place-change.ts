/** The one live card has come to another place, or has nothing to show any more. */
export class ProgressPlaceChangeEvent extends Event {
  static readonly type = 'progress-place-change';
  /** Where the card is now; undefined when there is nothing to show. */
  readonly place: 'rail' | 'composer' | undefined;

  constructor(place: 'rail' | 'composer' | undefined) {
    super(ProgressPlaceChangeEvent.type, { bubbles: true, composed: true });
    this.place = place;
  }
}

declare global {
  interface HTMLElementEventMap {
    'progress-place-change': ProgressPlaceChangeEvent;
  }
}
