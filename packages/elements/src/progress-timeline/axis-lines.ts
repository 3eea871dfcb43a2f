import { clockTime } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import { make } from '../display/make.ts';
import { ticksOf } from './time-scale.ts';
import type { Span } from './time-scale.ts';

/** Pixels from one tick to the next, at least. */
const TICK = 88;

/** Ticks and lines of an axis; drawn by hand, for their places are no part of a template under a strict policy. */
export class AxisLines {
  #drawn = '';

  /** `then`: the time that is looked at. `width`: of what scrolls, to see whether anything is another. */
  draw(root: ParentNode, { from, to }: Span, zoomed: number, then: number | undefined, width: number, language: Language): void {
    const ticks = root.querySelector<HTMLElement>('.ticks');
    const lines = root.querySelector<HTMLElement>('.lines > .track');
    const canvas = root.querySelector<HTMLElement>('.canvas');
    if (!ticks || !lines || !canvas) return;
    const zoom = String(zoomed);
    if (canvas.style.getPropertyValue('--_zoom') !== zoom) canvas.style.setProperty('--_zoom', zoom);
    const key = [from, to, zoom, width, then, language.locale].join();
    if (key === this.#drawn && ticks.firstChild) return;
    this.#drawn = key;
    const { at, grain } = ticksOf({ from, to }, Math.max(1, ticks.clientWidth / TICK));
    const place = (element: HTMLElement, time: number): HTMLElement => {
      element.style.insetInlineStart = `${((time - from) / (to - from || 1)) * 100}%`;
      return element;
    };
    const room = (TICK / (ticks.clientWidth || 1)) * (to - from) * 0.85;
    // A time that would be cut off at the end is not told.
    const told = (time: number): string => (to - time < room ? '' : (clockTime(time, language, grain) ?? ''));
    ticks.replaceChildren(...at.map((time) => place(make('span', 'tick', 'tick', told(time)), time)));
    lines.replaceChildren(...at.map((time) => place(make('i', 'line', 'line'), time)));
    if (then !== undefined) lines.append(place(make('i', 'line moment', 'line at'), Math.min(to, Math.max(from, then))));
  }
}
