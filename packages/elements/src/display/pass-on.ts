/** What a card tells the page, each in an event of its own. */
const TOLD = ['toggle', 'cancel-request', 'retry-request', 'dismiss-request'];

/**
 * Lets what a card tells come from the element it belongs to, wherever in the page the card is: whoever listens at that element, or
 * around it, hears it once.
 */
export function passOn(card: Element, element: Element): void {
  const pass = (event: Event): void => {
    // Inside of it, it comes by there anyway.
    if (event.composedPath().includes(element)) return;
    event.stopPropagation();
    // The same kind of event with the same content; one that is on its way cannot be sent once more.
    const again = Reflect.construct(Event, [event.type, event], event.constructor) as Event;
    const { isTrusted: _, ...content } = event;
    if (!element.dispatchEvent(Object.assign(again, content))) event.preventDefault();
  };
  for (const name of TOLD) card.addEventListener(`progress-${name}`, pass);
}
