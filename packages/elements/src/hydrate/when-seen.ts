import { watchView } from '../display/in-view.ts';

/** Calls once the element is about to be seen. */
export function whenSeen(element: Element, call: () => void): void {
  let stop = (): void => {};
  stop = watchView(element, (seen) => {
    if (!seen) return;
    // First: what is called may begin to watch the same element.
    stop();
    call();
  });
}
