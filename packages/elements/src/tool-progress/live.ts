import { amount, displayTitle, duration, elapsed, formatPercent, fraction, percent, summary } from '@sitrep/schema/select';
import type { View } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { make } from '../display/make.ts';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { tr } from '../display/tr.ts';
import { glide } from './glide.ts';

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
/**
 * The places of the values: part, class and tag of each, in the order in which they stand. What somebody wrote has a direction of its
 * own, which is found out anew with every change; what is always written in the reader's language is spared that.
 */
const CELLS = [
  ['title', 'title', 'bdi'],
  ['message', 'message', 'bdi'],
  ['percent', 'percent', 'span'],
  ['amount', '', 'bdi'],
  ['elapsed', 'last', 'span'],
] as const;

/** When anything was last heard of it: what the connection is to blame for counts from when that broke. */
function heardAt({ updatedAt }: Operation, { connection, heard = 0 }: View): number {
  return connection && connection.since > 0 && !['live', 'resumed'].includes(connection.state)
    ? connection.since
    : Math.max(updatedAt, heard);
}

/** How long it has worked as far as that is known: what stands still, or was lost sight of, does not go on counting. */
export function workedFor(operation: Operation, state: ShownState, now: number): number | undefined {
  return elapsed(operation, STILL.has(state) ? operation.updatedAt : now);
}

/** What is written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff]/;

/** Texts in one line. Where one of them is written from right to left, each keeps its own order. */
function joined(texts: readonly (string | false | undefined)[]): string {
  const all = texts.filter(Boolean) as string[];
  const apart = all.length > 1 && all.some((text) => RIGHT_TO_LEFT.test(text));
  return (apart ? all.map((text) => `\u2068${text}\u2069`) : all).join(' · ');
}

/** True if two records differ in nothing but values. */
export function differInValues(a: Operation, b: Operation): boolean {
  if (a === b) return true;
  let key: keyof Operation;
  for (key in a) if (a[key] !== b[key] && !VALUES.has(key)) return false;
  for (key in b) if (!(key in a) && b[key] !== undefined && !VALUES.has(key)) return false;
  return (percent(a) === undefined) === (percent(b) === undefined);
}

/**
 * The values on one element: texts and bar. They are never part of the template, and so can be written between two
 * renders; the place of one is made when there is something to put there. How far the bar is stands in the width of its fill, through CSSOM,
 * so that a strict content security policy holds. A transform would spare a layout that the number beside the bar needs anyway, and
 * would have the browser sort all that is drawn on the page into layers anew.
 */
export class Live {
  readonly #texts = Array<Text | undefined>(CELLS.length).fill(undefined);
  readonly #fill: HTMLElement;
  #part: number | undefined;
  #at = 0;
  #concealed = false;

  /** Takes up the nodes that the template has drawn. */
  constructor(root: ParentNode) {
    this.#fill = root.querySelector('.fill')!;
  }

  /** Takes the bar out of sight, or brings it back; for assistive technology it is there. */
  conceal(concealed: boolean): void {
    if (concealed === this.#concealed) return;
    this.#concealed = concealed;
    (this.#fill.parentNode as HTMLElement).style.opacity = concealed ? '0' : '';
  }

  /**
   * Shows the values of an operation; `more` stands behind the amount, and what is not `seen` need not move. While it is closed and has
   * nothing to say itself, its newest live part speaks for it.
   */
  write(
    root: ParentNode,
    shown: ShownOperation,
    state: ShownState,
    open: boolean,
    more: readonly (string | undefined)[],
    seen: boolean,
  ): void {
    const { operation, view, nested, language } = shown;
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
      joined([count, finishing, ...(silent ? [] : more), silent]),
      took! < Infinity ? duration(took!, language) : undefined,
    ];
    texts.forEach((text, index) => this.#put(root, index, text));
    const fill = this.#fill;
    const bar = fill.parentNode as HTMLElement;
    const value = done?.toString() ?? null;
    if (bar.ariaValueNow !== value) bar.ariaValueNow = value;
    // What a screen reader says instead of the bare number, where there is more to say than that.
    const [what, rest] = finishing ? [share, finishing] : operation.total === undefined ? [] : [count, share];
    const spoken = what && rest ? tr('{what}, {more}', language, { what, more: rest }) : null;
    if (bar.ariaValueText !== spoken) bar.ariaValueText = spoken;
    const part = fraction(operation);
    if (part === this.#part) return;
    // A small whole number takes no place of its own.
    const now = Math.round(performance.now());
    // What fell is shown at once.
    if (seen && part! > this.#part! && now - this.#at > GLIDE_AFTER) glide(fill, this.#part! / part!);
    else if (fill.className !== 'fill') fill.className = 'fill';
    fill.style.inlineSize = part === undefined ? '' : `${part * 100}%`;
    this.#part = part;
    this.#at = now;
  }

  #put(root: ParentNode, index: number, text = ''): void {
    const node = (this.#texts[index] ??= text ? this.#make(root, index) : undefined);
    if (node && node.data !== text) node.data = text;
  }

  /** The place of a value; one that a server has drawn is taken up. */
  #make(root: ParentNode, index: number): Text {
    const [part, className, tag] = CELLS[index]!;
    let cell = root.querySelector(`[part=${part}]`);
    if (!cell) {
      const after = this.#texts.slice(index + 1).find(Boolean)?.parentNode;
      cell = make(tag, part, className);
      if (part === 'message') root.querySelector('.head')!.insertBefore(cell, root.querySelector('.pill'));
      else root.querySelector('.meta')!.insertBefore(cell, after ?? null);
    }
    if (!cell.firstChild) cell.append('');
    return cell.firstChild as Text;
  }
}
