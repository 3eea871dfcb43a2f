/** What a card tells the page. */
const TOLD = ['progress-toggle', 'progress-cancel-request', 'progress-retry-request', 'progress-dismiss-request'];

/**
 * Lets what a card tells come from the element it belongs to, wherever in the page the card is: whoever listens at that element, or
 * around it, hears it once.
 */
export function passOn(card: Element, element: Element): void {
  for (const type of TOLD) card.addEventListener(type, (event) => pass(event, element));
}

function pass(event: Event, element: Element): void {
  // Inside of it, it comes by there anyway.
  if (event.composedPath().includes(element)) return;
  event.stopPropagation();
  const { type, bubbles, composed, cancelable, constructor } = event;
  // The same kind of event with the same content; one that is on its way cannot be sent once more.
  const again = Reflect.construct(Event, [type, { bubbles, composed, cancelable }], constructor) as Event;
  for (const name of Object.keys(event)) if (name !== 'isTrusted') Object.assign(again, { [name]: event[name as keyof Event] });
  if (!element.dispatchEvent(again)) event.preventDefault();
}
