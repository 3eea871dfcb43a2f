/** A card over the page that can be taken away. */
interface Peek {
  hide(): void;
}

/** Milliseconds for which the next card comes at once after one has gone. */
const WARM = 600;

let open: Peek | undefined;
let coldAt = -Infinity;

/** One card at a time: whoever shows one takes away the other's. */
export function take(peek: Peek): void {
  if (open !== peek) open?.hide();
  open = peek;
}

/** The card of this one has gone. */
export function leave(peek: Peek): void {
  if (open !== peek) return;
  open = undefined;
  coldAt = performance.now() + WARM;
}

/** True while a card is shown, or was a moment ago: the reader is going through them. */
export const isWarm = (): boolean => open !== undefined || performance.now() < coldAt;
