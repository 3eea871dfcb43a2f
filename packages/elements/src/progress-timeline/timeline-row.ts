import { clockTime, duration, elapsed } from '@sitrep/schema/select';
import { make, write } from '../display/make.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import { cell, Row } from '../tree/row.ts';
import type { RowContext } from '../tree/row.ts';
import type { TreeNode } from '../tree/tree-node.ts';
import { spanOf } from './time-scale.ts';
import type { Span } from './time-scale.ts';
import type { Wait } from './waits.ts';

/** What the bars of a timeline are drawn by. */
export interface Scale {
  readonly axis: Span;
  /** Nothing can have begun before. */
  readonly earliest: number;
  waitsOf(node: TreeNode): readonly Wait[];
}

/** One operation, or the head of a run, in a timeline. */
export class TimelineRow extends Row {
  readonly #scale: () => Scale;
  readonly #start = cell('bdi', 'start');
  readonly #length = cell('bdi', 'duration');
  readonly #bar = cell('div', 'bar');
  readonly #held: HTMLElement[] = [];

  constructor(scale: () => Scale) {
    super();
    this.#scale = scale;
    const side = make('div', 'side', 'side');
    side.append(
      this.name,
      cell('div', 'state', 'gridcell', this.pill.element),
      cell('div', 'when', 'gridcell', this.#start),
      cell('div', 'time', 'gridcell', this.#length),
    );
    const track = cell('div', 'track', undefined, this.#bar);
    // What it draws is said in words beside it.
    track.setAttribute('aria-hidden', 'true');
    this.element.append(side, track, this.body);
  }

  protected override values(node: TreeNode, { language, now }: RowContext, state: ShownState): void {
    const { operation, run } = node;
    const { axis, earliest, waitsOf } = this.#scale();
    const began = operation ? operation.startedAt : run?.startedAt;
    write(this.#start, clockTime(began, language) ?? tr('start unknown', language));
    const took = operation ? elapsed(operation, now) : run?.startedAt === undefined ? undefined : (run.endedAt ?? now) - run.startedAt;
    write(this.#length, took! >= 1000 && took! < Infinity ? duration(took!, language) : '');
    const bar = this.#bar;
    const span = operation
      ? spanOf(operation, now, earliest)
      : { from: began ?? axis.from, to: run?.endedAt ?? (run?.state === 'running' ? now : axis.to), point: false };
    bar.classList.toggle('point', span.point);
    bar.classList.toggle('whole', !operation);
    put(bar, span, axis);
    const waits = operation && !span.point ? waitsOf(node) : [];
    waits.forEach((wait, index) => {
      const held = (this.#held[index] ??= make('i', ''));
      held.className = `held ${wait.state}`;
      put(held, { from: Math.max(span.from, wait.from), to: Math.min(span.to, wait.to ?? now) }, span);
      if (held.parentNode !== bar) bar.append(held);
    });
    for (const held of this.#held.slice(waits.length)) held.remove();
  }
}

/** Places an element along the line in which time runs, from its beginning to its end. */
function put(at: HTMLElement, { from, to }: Span, whole: Span): void {
  const length = whole.to - whole.from || 1;
  const within = (time: number): number => Math.min(100, Math.max(0, ((time - whole.from) / length) * 100));
  const start = `${within(from).toFixed(3)}%`;
  const size = `${Math.max(0, within(to) - within(from)).toFixed(3)}%`;
  if (at.style.insetInlineStart !== start) at.style.insetInlineStart = start;
  if (at.style.inlineSize !== size) at.style.inlineSize = size;
}
