import { focused, holds, within } from '../display/composed.ts';

/** The newer ways of a selection, where the browser has them. */
type Composed = Selection & {
  getComposedRanges?(options: { shadowRoots: ShadowRoot[] }): StaticRange[];
  readonly direction?: string;
};

/** What the reader was doing in an element. */
export interface Kept {
  /** Text of it is selected, or the focus is on something in it that folds away. */
  readonly inUse: boolean;
  /** Gives back what is missing. */
  readonly giveBack: () => void;
}

/** Takes down what an element loses when it is put elsewhere. */
export function keep(element: HTMLElement): Kept {
  const [focus, selection, scrolls] = [keepFocus(element), keepSelection(element), keepScrolls(element)];
  return {
    inUse: !!selection || holds(element.shadowRoot?.querySelector('[part=body]') ?? undefined, focused()),
    giveBack() {
      scrolls();
      selection?.();
      focus?.();
    },
  };
}

/**
 * Puts the element first in its new place. Where the browser can move, what the reader does in it goes on; elsewhere it is taken
 * out and put in again.
 */
export function move(element: HTMLElement, place: Element): void {
  const target = place as Element & { moveBefore?(node: Node, before: Node | null): void };
  if (element.isConnected && target.moveBefore) {
    try {
      target.moveBefore(element, place.firstChild);
      return;
    } catch {
      // Between documents there is no such move.
    }
  }
  place.insertBefore(element, place.firstChild);
}

function keepFocus(element: HTMLElement): (() => void) | undefined {
  const before = focused();
  if (!holds(element, before)) return undefined;
  return () => {
    const now = focused();
    // Who went on elsewhere in the meantime is not called back.
    if (now === before || (now && now !== document.body)) return;
    (before as HTMLElement).focus({ preventScroll: true });
  };
}

/** How far it was scrolled where it could be, for when it can be again. */
const unmet = new WeakMap<Element, readonly [top: number, left: number]>();

function keepScrolls(element: HTMLElement): () => void {
  const before: [Element, number, number][] = [];
  for (const one of within(element)) {
    const [top, left] = unmet.get(one) ?? [one.scrollTop, one.scrollLeft];
    if (top || left) before.push([one, top, left]);
  }
  return () => {
    for (const [one, top, left] of before) {
      if (one.scrollTop !== top) one.scrollTop = top;
      if (one.scrollLeft !== left) one.scrollLeft = left;
      if ((top && one.scrollHeight <= one.clientHeight) || (left && one.scrollWidth <= one.clientWidth)) unmet.set(one, [top, left]);
      else unmet.delete(one);
    }
  };
}

function keepSelection(element: HTMLElement): (() => void) | undefined {
  const selection = document.getSelection() as Composed | null;
  const range = selection && rangeOf(selection, element);
  if (!range || range.collapsed || !holds(element, range.startContainer) || !holds(element, range.endContainer)) return undefined;
  const { startContainer, startOffset, endContainer, endOffset } = range;
  const backward = selection.direction === 'backward';
  return () => {
    const now = rangeOf(selection, element);
    if (now?.startContainer === startContainer && now.endContainer === endContainer && !now.collapsed) return;
    if (backward) selection.setBaseAndExtent(endContainer, endOffset, startContainer, startOffset);
    else selection.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset);
  };
}

/** What is selected, in shadow roots too where the browser tells. */
function rangeOf(selection: Composed, element: HTMLElement): StaticRange | Range | undefined {
  const shadowRoots = [element, ...within(element)].flatMap((one) => one.shadowRoot ?? []);
  try {
    const [range] = selection.getComposedRanges?.({ shadowRoots }) ?? [];
    if (range) return range;
  } catch {
    // An engine with another form of the call.
  }
  return selection.rangeCount ? selection.getRangeAt(0) : undefined;
}
