/** Name of the event by which a widget tells the board around it that it shows another state. */
export const STANDING = 'sitrep-standing';

/** Tells the board around a widget that it shows another state, however many shadow roots lie between. */
export function tellStanding(widget: EventTarget): void {
  widget.dispatchEvent(new Event(STANDING, { bubbles: true, composed: true }));
}
