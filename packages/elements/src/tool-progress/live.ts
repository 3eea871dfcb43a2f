import { amount, displayTitle, duration, elapsed, formatPercent, fraction, percent, summary } from '@sitrep/schema/select';
import type { View } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { tr } from '../display/tr.ts';

/** What may change many times a second without a change of what is there to be drawn. */
const VALUES: ReadonlySet<string> = new Set(['current', 'total', 'fraction', 'message', 'updatedAt', 'seq']);
/** States in which its clock stands still. */
export const STILL: ReadonlySet<ShownState> = new Set(['paused', 'stale', 'lost']);
/** A jump is drawn gliding only when the last one is this long ago, milliseconds; a stream of small ones needs no help. */
const GLIDE_AFTER = 400;

/** States in which nobody knows whether it goes on. */
const SILENT: ReadonlySet<ShownState> = new Set(['quiet', 'stale', 'reconnecting', 'lost']);
/** A silence shorter than this needs no words, milliseconds. */
const WORTH_SAYING = 5_000;

/** When anything was last heard of it: what the connection is to blame for counts from when that broke. */
function heardAt({ updatedAt }: Operation, { connection }: View): number {
  return connection && connection.since > 0 && !['live', 'resumed'].includes(connection.state) ? connection.since : updatedAt;
}

/** How long it has worked as far as that is known: what stands still, or was lost sight of, does not go on counting. */
export function workedFor(operation: Operation, state: ShownState, now: number): number | undefined {
  return elapsed(operation, STILL.has(state) ? operation.updatedAt : now);
}

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

  /** Takes the bar out of sight, or brings it back; for assistive technology it is there. */
  conceal(concealed: boolean): void {
    if (this.#bar) (this.#bar as HTMLElement).style.opacity = concealed ? '0' : '';
  }

  /** Takes up the nodes that the template has drawn. */
  adopt(root: ParentNode): void {
    this.#cells = root.querySelectorAll('.live');
    const bar = root.querySelector('.bar');
    if (bar !== this.#bar) this.#part = undefined;
    this.#bar = bar;
  }

  /** Shows the values of an operation; `more` stands behind the amount. While it is closed and has nothing to say itself, its newest live part speaks for it. */
  write(
    { operation, view, nested, language }: ShownOperation,
    state: ShownState,
    open: boolean,
    more: readonly (string | undefined)[],
  ): void {
    const done = percent(operation);
    const share = done === undefined ? undefined : formatPercent(done, language);
    const count = amount(operation, language);
    const took = workedFor(operation, state, view.now);
    const finishing = done === 100 && operation.state === 'running' && tr('finishing', language);
    const silence = SILENT.has(state) ? view.now - heardAt(operation, view) : 0;
    const silent = silence >= WORTH_SAYING && tr('no news for {time}', language, { time: duration(silence, language) });
    const child = open ? undefined : nested.findLast((node) => !hasEnded(node.operation));
    const texts = [
      displayTitle(operation, language),
      operation.message || (child && summary(child.operation, language)),
      share,
      [count, finishing, ...(silent ? [] : more), silent].filter(Boolean).join(' · '),
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
