import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { clockTime, rollUpText } from '@sitrep/schema/select';
import type { FeedHistory, SessionState } from '../display/feed.ts';
import { icon, pillStyles } from '../display/pill.ts';
import { property } from '../display/progress-element.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr } from '../display/tr.ts';
import { ProgressScrubEvent } from '../events/progress-scrub.ts';
import type { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { notice } from '../tree/notices.ts';
import { TreeElement } from '../tree/tree-element.ts';
import type { TreeInput } from '../tree/tree-input.ts';
import type { TreeNode } from '../tree/tree-node.ts';
import { treeStyles } from '../tree/tree.styles.ts';
import { PRINTED } from '../tree/virtual-rows.ts';
import { AxisLines } from './axis-lines.ts';
import { axisOf, earliestOf } from './time-scale.ts';
import type { Span } from './time-scale.ts';
import { styles } from './progress-timeline.styles.ts';
import { TimelineRow } from './timeline-row.ts';
import { Waits } from './waits.ts';

export type { ProgressRetryRequestEvent, ProgressScrubEvent };

const PLUS = 'M3 8h10M8 3v10';
const MINUS = 'M3 8h10';
const FIT = 'M6 3L2.5 8 6 13M10 3l3.5 5-3.5 5';
/** How much closer one step looks, and how close one can. */
const STEP = 1.6;
const CLOSEST = 400;

/**
 * What happened when: the operations of a session, or of one run, as bars on one axis of time, each with its state, its start and
 * its duration in words. Time runs in the direction of the text. What still goes on grows with the clock of the page, and nothing
 * moves while it is out of sight.
 *
 * Where history is kept, a slider goes back through it: rows then show how everything stood at that position, marked as past, and
 * nothing of what happens meanwhile is said.
 *
 * Rows have the keys of `<progress-list>`; `+` and `-` look closer and less close.
 *
 * @tag progress-timeline
 * @summary Shows operations on an axis of time, and how they stood before.
 *
 * @fires {ProgressScrubEvent} progress-scrub - The reader looks at how the session was, or is back at how it is.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to load the session again.
 *
 * @slot actions - Further buttons in the head.
 * @slot empty - What is shown while nothing has been reported.
 *
 * @csspart base - Everything inside the element.
 * @csspart head - Title, counts and zoom.
 * @csspart title - The title of the timeline, or of a row.
 * @csspart counts - "needs you 1 · running 3".
 * @csspart zoom - One of the buttons that look closer, less close, or at everything.
 * @csspart list - What scrolls.
 * @csspart axis - The axis of time.
 * @csspart tick - One time on it.
 * @csspart line - The line at a time; also `moment` for the time that is looked at.
 * @csspart row - One row.
 * @csspart side - Everything of a row but its bar.
 * @csspart name - The column of titles.
 * @csspart state - The column of states.
 * @csspart pill - The state.
 * @csspart label - The word in the pill.
 * @csspart when - The column of starts.
 * @csspart start - When it began.
 * @csspart time - The column of durations.
 * @csspart duration - How long it took.
 * @csspart track - Where the bar lies.
 * @csspart bar - The bar.
 * @csspart body - The details of a row.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart history - The slider and what belongs to it.
 * @csspart slider - The slider.
 * @csspart then - "As of 14:03:22".
 * @csspart live - The button that goes back to now.
 * @csspart since - Since when there is history.
 * @csspart problem - Why the session could not be loaded.
 * @csspart retry - The button that loads it again.
 *
 * @cssstate past - It shows how something was.
 * @cssstate empty - Nothing has been reported.
 * @cssstate no-access - The server says that the reader may not read the session: the timeline takes no place then.
 */
export class ProgressTimeline extends TreeElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, treeStyles, styles];

  static override properties: PropertyDeclarations = {
    ...TreeElement.properties,
    archive: property,
  };

  /** What can be shown of how it was, for a page that hands the records over itself. By default that of the session, as far as it keeps any. */
  declare archive: FeedHistory | null | undefined;

  protected override readonly estimate: number = 36;
  protected override readonly inset: number = 28;
  readonly #waits = new Waits();
  #axis: Span = { from: 0, to: 1 };
  #earliest = 0;
  #zoom = 1;
  #width = 0;
  #seq: number | undefined;
  #then: { readonly seq: number; readonly session: SessionState; readonly at: number } | undefined;
  #since: { readonly from: number; readonly of: string; readonly at: number | undefined } | undefined;
  /** What the position was counted in. */
  #origin: unknown;
  /** The past that was shown is gone, and the page has not been told yet. */
  #lost: { readonly focused: boolean } | undefined;
  readonly #lines = new AxisLines();
  #observer: ResizeObserver | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#observer = undefined;
  }

  protected override get past(): boolean {
    return this.#seq !== undefined;
  }

  protected override get now(): number {
    return this.#then?.at ?? Date.now();
  }

  protected override makeRow(): TimelineRow {
    return new TimelineRow(() => ({
      axis: this.#axis,
      earliest: this.#earliest,
      waitsOf: (node) => (this.past ? [] : this.#waits.of(node)),
    }));
  }

  get #history(): FeedHistory | undefined {
    return this.archive ?? (this.operations ? undefined : this.link?.history);
  }

  protected override input(): TreeInput {
    const { session } = this.#then ?? {};
    const input = session ? this.from(session) : super.input();
    this.#earliest = earliestOf(input.runs, input.operations);
    this.#axis = axisOf(input.operations, this.now, this.#earliest);
    return input;
  }

  protected override configure(): void {
    this.#look();
    this.model.options = { grouped: !this.run, filter: undefined, limit: Infinity, expanded: true };
  }

  protected override headOf(): readonly unknown[] {
    const { window } = this.#history ?? {};
    const { counts } = this.model;
    return [rollUpText(counts), this.#axis.from, this.#axis.to, window?.from, window?.to, this.#counted, this.feed?.denied];
  }

  protected override took(nodes: Iterable<TreeNode>): void {
    if (!this.past) for (const node of nodes) this.#waits.see(node);
  }

  protected override stateOf(): string | undefined {
    if (this.feed?.denied && !this.operations) return 'no-access';
    return this.past ? 'past' : this.model.size === 0 ? 'empty' : undefined;
  }

  /** What positions are counted in: those of another session, or of one that began anew, are others. */
  get #counted(): string {
    const session = this.archive ? undefined : this.feed?.session?.session;
    return JSON.stringify([session, this.#history?.window?.epoch]);
  }

  /** Finds what the slider stands at. What is no longer kept is left for what is. */
  #look(): void {
    const history = this.#history;
    const window = history?.window;
    if (this.#seq !== undefined && history && window && this.#counted === this.#origin) {
      const seq = Math.max(window.from, this.#seq);
      if (this.#then?.seq === seq) return;
      const session = history.at(seq);
      this.#then = session && { seq, session, at: timeOf(session) };
      if (session) return;
    }
    if (this.#seq !== undefined) {
      // What happened meanwhile is no news.
      this.silence();
      this.#lost = { focused: !!(this.renderRoot as ShadowRoot).activeElement?.closest('[part=history]') };
    }
    this.#seq = this.#then = undefined;
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.feed?.denied && !this.operations) return nothing;
    const { language, model } = this;
    const input = this.input();
    const name = this.heading || (this.operations ? undefined : this.feed?.session?.title) || tr('Timeline', language);
    const content = model.size > 0 || model.rows.length > 0;
    const zoom = (path: string, word: string, by: number): TemplateResult =>
      html`<button part="zoom" class="tool" type="button" title=${word} aria-label=${word} @click=${() => this.#zoomBy(by)}>
        ${icon(path)}
      </button>`;
    return html`<div part="base" class="base ${this.past ? 'past' : ''}" role="group" aria-labelledby="heading">
      <div part="head" class="top">
        <bdi part="title" class="heading" id="heading">${name}</bdi>
        ${
          content
            ? html`<bdi part="counts" class="counts">${rollUpText(model.counts, language)}</bdi
                ><span class="tools"
                  >${zoom(MINUS, tr('Zoom out', language), 1 / STEP)}${zoom(FIT, tr('Fit', language), 0)}${zoom(
                    PLUS,
                    tr('Zoom in', language),
                    STEP,
                  )}</span
                >`
            : nothing
        }<slot name="actions"></slot>
      </div>
      ${notice(input, content, language, this.retry)}${content ? html`${this.#grid(name)}` : nothing}${this.#slider()}
    </div>`;
  }

  #grid(name: string): TemplateResult {
    const { language, model } = this;
    const unprinted = model.rows.length - PRINTED;
    return html`<div class="frame">
        <div
          part="list"
          class="scroller"
          role="treegrid"
          aria-label=${name}
          aria-rowcount=${model.rows.length + 1}
          @keydown=${this.#keys}
          @focusin=${this.hands.focus}
          @click=${this.hands.click}
        >
          <div class="canvas">
            <div class="axis" part="axis" role="row" aria-rowindex="1">
              <div class="side titles">
                <span class="name" role="columnheader">${tr('Operation', language)}</span
                ><span class="state" role="columnheader">${tr('State', language)}</span
                ><span class="when" role="columnheader">${tr('Start', language)}</span
                ><span class="time" role="columnheader">${tr('Duration', language)}</span>
              </div>
              <div class="track ticks" aria-hidden="true"></div>
            </div>
            <div class="lines" aria-hidden="true"><div class="track"></div></div>
            <div class="rows" role="rowgroup"></div>
          </div>
        </div>
      </div>
      ${unprinted > 0 ? html`<p class="unprinted">${tr('{n} more are not printed.', language, { n: unprinted })}</p>` : nothing}`;
  }

  #slider(): TemplateResult | typeof nothing {
    const { language } = this;
    const window = this.#history?.window;
    if (!window || window.to <= window.from) return nothing;
    const seq = this.#then?.seq ?? window.to;
    const then = this.#then && tr('As of {time}', language, { time: clockTime(this.#then.at, language) ?? '' });
    const where = tr('{n} of {total} changes', language, { n: seq - window.from, total: window.to - window.from });
    const of = this.#counted;
    if (this.#since?.from !== window.from || this.#since.of !== of) {
      const first = this.#history?.at(window.from);
      this.#since = { from: window.from, of, at: first && timeOf(first) };
    }
    const since = this.#since.at ? clockTime(this.#since.at, language) : undefined;
    return html`<div part="history" class="history">
      <input
        part="slider"
        type="range"
        aria-label=${tr('History', language)}
        aria-valuetext=${tr('{what}, {more}', language, { what: then ?? tr('live', language), more: where })}
        min=${window.from}
        max=${window.to}
        .value=${live(String(seq))}
        @input=${this.#scrub}
      />
      <span class="place"
        >${
          then
            ? html`<bdi part="then" class="then">${then}</bdi
                ><button part="live" type="button" @click=${this.#live}>${tr('Back to live', language)}</button>`
            : html`<bdi class="now">${tr('live', language)}</bdi>`
        }${since ? html`<bdi part="since" class="since">${tr('History begins at {time}.', language, { time: since })}</bdi>` : nothing}</span
      >
    </div>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    if (scroller && !this.#observer) {
      this.#observer = new ResizeObserver(([entry]) => {
        this.#width = entry!.contentRect.width;
        requestAnimationFrame(() => this.#drawAxis());
      });
      this.#observer.observe(scroller);
      this.#width = scroller.clientWidth;
    } else if (!scroller) {
      this.#observer?.disconnect();
      this.#observer = undefined;
    }
    this.#drawAxis();
    // The axis may be another one: every bar has another place then.
    for (const row of this.view.views) if (row.node) row.show(row.node, this.context(row.node));
    const lost = this.#lost;
    this.#lost = undefined;
    if (!lost) return;
    if (lost.focused && !(this.renderRoot as ShadowRoot).activeElement) {
      const slider = this.renderRoot.querySelector<HTMLElement>('[type=range]');
      if (slider) slider.focus();
      else if (this.active) this.focusRow(this.model.rows.indexOf(this.active));
    }
    this.dispatchEvent(new ProgressScrubEvent());
  }

  #drawAxis(): void {
    this.#lines.draw(this.renderRoot, this.#axis, this.#zoom, this.#then?.at, this.#width, this.language);
  }

  /** 0 shows everything. What is in the middle stays there. */
  #zoomBy(by: number): void {
    const scroller = this.renderRoot.querySelector<HTMLElement>('.scroller');
    const track = this.renderRoot.querySelector<HTMLElement>('.ticks');
    if (!scroller || !track) return;
    const before = track.clientWidth;
    const seen = scroller.clientWidth - (scroller.scrollWidth - before);
    const from = Math.abs(scroller.scrollLeft);
    this.#zoom = by === 0 ? 1 : Math.min(CLOSEST, Math.max(1, this.#zoom * by));
    this.#drawAxis();
    const middle = ((from + seen / 2) / before) * track.clientWidth - seen / 2;
    scroller.scrollLeft = this.matches(':dir(rtl)') ? -middle : middle;
    this.#drawAxis();
  }

  readonly #keys = (event: KeyboardEvent): void => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (plain && (event.key === '+' || event.key === '-')) {
      event.preventDefault();
      this.#zoomBy(event.key === '+' ? STEP : 1 / STEP);
    } else this.hands.key(event);
  };

  readonly #scrub = (event: Event): void => {
    const seq = Number((event.target as HTMLInputElement).value);
    const { to } = this.#history?.window ?? { to: seq };
    this.#go(seq >= to ? undefined : seq);
  };

  readonly #live = (): void => {
    this.#go(undefined);
    this.renderRoot.querySelector<HTMLElement>('[type=range]')?.focus();
  };

  #go(seq: number | undefined): void {
    if (seq === this.#seq) return;
    this.silence();
    this.#seq = seq;
    this.#origin = this.#counted;
    this.#look();
    this.#lost = undefined;
    this.requestUpdate('scrub', null);
    const { at, session } = this.#then ?? {};
    this.dispatchEvent(new ProgressScrubEvent(this.#then?.seq, at, session));
  }
}

/** When a session stood as it does: the newest time of anything in it. */
function timeOf({ operations, runs, card }: SessionState): number {
  let at = card.updatedAt ?? 0;
  for (const { updatedAt } of operations) if (updatedAt > at) at = updatedAt;
  for (const { updatedAt } of runs) if (updatedAt > at) at = updatedAt;
  return at;
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-timeline': ProgressTimeline;
  }
}
