import { amount, displayTitle, duration, elapsed, formatPercent, fraction, percent, summary } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { tr } from '../display/tr.ts';

/** What may change many times a second without a change of what is there to be drawn. */
const VALUES: ReadonlySet<string> = new Set(['current', 'total', 'fraction', 'message', 'updatedAt', 'seq']);
/** A jump is drawn gliding only when the last one is this long ago, milliseconds; a stream of small ones needs no help. */
const GLIDE_AFTER = 400;

/** True if two records differ in nothing but values. */
export function differInValues(a: Operation, b: Operation): boolean {
  if (a === b) return true;
  for (const key in { ...a, ...b }) {
    if (!VALUES.has(key) && a[key as keyof Operation] !== b[key as keyof Operation]) return false;
  }
  return (percent(a) === undefined) === (percent(b) === undefined);
}

/** Puts text where some may already be; its node stays. */
function put(at: Element | undefined, text = ''): void {
  const node = at?.firstChild as Text | null | undefined;
  if (node) {
    if (node.data !== text) node.data = text;
  } else if (at && text) at.textContent = text;
}

/**
 * The values on one element: texts and bar. They are never part of the template, and so can be written between two
 * renders. The fill is moved by transform through CSSOM: that needs no layout, and a strict content security policy holds.
 */
export class Live {
  #cells: ArrayLike<Element> = [];
  #bar: Element | null = null;
  #part: number | undefined;
  #at = 0;

  /** Takes up the nodes that the template has drawn. */
  adopt(root: ParentNode): void {
    this.#cells = root.querySelectorAll('.live');
    const bar = root.querySelector('.bar');
    if (bar !== this.#bar) this.#part = undefined;
    this.#bar = bar;
  }

  /** Shows the values of an operation. While it is closed and has nothing to say itself, its newest live part speaks for it. */
  write({ operation, view, nested, language }: ShownOperation, state: ShownState, open: boolean): void {
    const done = percent(operation);
    const share = done === undefined ? undefined : formatPercent(done, language);
    const count = amount(operation, language);
    const took = elapsed(operation, view.now);
    const finishing = done === 100 && operation.state === 'running' && tr('finishing', language);
    const silent = state === 'quiet' && tr('no news for {time}', language, { time: duration(view.now - operation.updatedAt, language) });
    const child = open ? undefined : nested.findLast((node) => !hasEnded(node.operation));
    const texts = [
      displayTitle(operation, language),
      operation.message || (child && summary(child.operation, language)),
      share,
      [count, finishing, silent].filter(Boolean).join(' · '),
      took! < Infinity ? duration(took!, language) : undefined,
    ];
    texts.forEach((text, index) => put(this.#cells[index], text));
    const bar = this.#bar;
    if (!bar) return;
    bar.ariaValueNow = done?.toString() ?? null;
    // What a screen reader says instead of the bare number, where there is more to say than that.
    bar.ariaValueText = finishing
      ? `${share}, ${finishing}`
      : count && share && operation.total !== undefined
        ? `${count}, ${share}`
        : null;
    const part = fraction(operation);
    if (part === this.#part) return;
    const fill = bar.firstElementChild as HTMLElement;
    const now = performance.now();
    // What fell is shown at once.
    fill.classList.toggle('glide', part! > this.#part! && now - this.#at > GLIDE_AFTER);
    fill.style.transform = part === undefined ? '' : `scaleX(${part})`;
    this.#part = part;
    this.#at = now;
  }
}
