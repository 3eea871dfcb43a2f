import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { ACTIVITIES, activity, rollUpText } from '@sitrep/schema/select';
import type { Activity } from '@sitrep/schema/select';
import { icon, pillStyles } from '../display/pill.ts';
import { hasEnded } from '../display/shown-state.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr } from '../display/tr.ts';
import { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { notice } from '../tree/notices.ts';
import { TreeElement } from '../tree/tree-element.ts';
import type { TreeInput } from '../tree/tree-input.ts';
import type { TreeNode } from '../tree/tree-node.ts';
import { treeStyles } from '../tree/tree.styles.ts';
import { PRINTED } from '../tree/virtual-rows.ts';
import { filterBar } from './filter-bar.ts';
import { ListRow } from './list-row.ts';
import { styles } from './progress-list.styles.ts';

export type { ProgressCancelRequestEvent, ProgressRetryRequestEvent };

const OPEN_ALL = 'M4 6l4 4 4-4M4 2h8M4 14h8';
const CLOSE_ALL = 'M4 10l4-4 4 4M4 2h8M4 14h8';
const DOWN = 'M8 2v11M3.5 8.5L8 13l4.5-4.5';

/**
 * Many operations: which need somebody, which run, what came of the others. A tree, grouped by run, of any length: only the rows
 * in sight are drawn, and a change of one operation writes one row.
 *
 * Rows stand in the order in which they were first reported and never change places; what no longer fits the filter stays
 * until it is out of sight. The details of a row are drawn when it is first opened.
 *
 * Keys, once a row has the focus: arrows, Home, End, Page Up and Page Down move; the arrow that points inwards opens, the other closes;
 * Enter and Space do either; letters go to the next row whose name begins with them; `*` opens all beside it.
 *
 * @tag progress-list
 * @summary Shows many operations as a tree with filters.
 *
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop an operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run an operation again, or to load the session again.
 *
 * @slot actions - Further buttons in the head.
 * @slot empty - What is shown while nothing has been reported.
 *
 * @csspart base - Everything inside the element.
 * @csspart head - Title and counts.
 * @csspart title - The title of the list, or of a row.
 * @csspart counts - "needs you 1 · running 3".
 * @csspart toolbar - Filters and buttons.
 * @csspart filter - One filter.
 * @csspart next - The button that goes to the next operation that needs somebody.
 * @csspart expand - The button that opens everything.
 * @csspart collapse - The button that closes everything.
 * @csspart earlier - The button that lists older operations.
 * @csspart newest - The button that goes to the end.
 * @csspart list - What scrolls.
 * @csspart row - One row.
 * @csspart name - Title and message of a row.
 * @csspart message - What it does right now; in the head of a run, its counts.
 * @csspart measure - Bar and amount of a row.
 * @csspart bar - The track of the bar.
 * @csspart fill - The filled part of the bar.
 * @csspart percent - The percentage.
 * @csspart amount - The amount.
 * @csspart time - The column of times.
 * @csspart elapsed - The time it has taken; in the head of a run, when it began.
 * @csspart state - The column of states.
 * @csspart pill - The state.
 * @csspart label - The word in the pill.
 * @csspart buttons - The column of buttons.
 * @csspart cancel - The button that asks to stop.
 * @csspart retry - The button that asks to run again, or to load the session again.
 * @csspart body - The details of a row.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart problem - Why the session could not be loaded.
 *
 * @cssstate needs-you - Something in it needs a person.
 * @cssstate empty - Nothing has been reported.
 * @cssstate no-access - The server says that the reader may not read the session: the list takes no place then.
 */
export class ProgressList extends TreeElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, treeStyles, styles];

  static override properties: PropertyDeclarations = {
    ...TreeElement.properties,
    filter: { reflect: true },
    grouping: {},
    limit: { type: Number },
    expanded: { type: Boolean },
    follow: { type: Boolean },
    plain: { type: Boolean },
    actions: {},
  };

  /**
   * Lists only what is up to this: `needs-you`, `working`, `waiting`, `failed`, `done` or `idle`. The reader may choose another. Absent
   * or `all`: everything.
   * @attr
   */
  declare filter: Activity | 'all' | undefined;

  /**
   * `run` puts the operations of a run under a head of their own, `none` does not. Default: `run`.
   * @attr
   */
  declare grouping: 'run' | 'none' | undefined;

  /**
   * So many of the newest operations are listed at first, and so many more whenever the reader asks for earlier ones. Default: all.
   * @attr
   */
  declare limit: number | undefined;

  /**
   * Rows with others under them are open at first. Runs always are.
   * @attr
   */
  declare expanded: boolean;

  /**
   * Begins at the end, and stays there while new operations come, for as long as the reader is there.
   * @attr
   */
  declare follow: boolean;

  /**
   * Without filters and buttons; the counts are said in a line.
   * @attr
   */
  declare plain: boolean;

  /**
   * The buttons to offer at each operation, divided by spaces: `cancel` where it can be stopped, `retry` where it did not succeed.
   * @attr
   */
  declare actions: string | undefined;

  protected override readonly estimate: number = 40;
  protected override readonly inset: number = 0;
  #shown = 0;
  #began = false;
  /** Whether the end of the list was in sight when it was last looked. */
  #atEnd = true;

  constructor() {
    super();
    this.expanded = this.follow = this.plain = false;
  }

  /** Opens everything that has others under it. */
  expandAll(): void {
    this.#openAll(true);
  }

  /** Closes everything that has others under it, runs included. */
  collapseAll(): void {
    this.#openAll(false);
  }

  /** Goes to the next operation that needs a person, after the row that has the focus; false if none does. */
  nextThatNeedsYou(): boolean {
    const { nodes } = this.model;
    const asking = nodes.filter((node) => activity(node.operation!) === 'needs-you');
    if (asking.length === 0) return false;
    const { active } = this;
    const hidden = (node: TreeNode): boolean => this.model.rows[node.index] !== node;
    if (this.model.options.filter && this.model.options.filter !== 'needs-you') {
      this.filter = 'all';
      this.model.options = { ...this.model.options, filter: undefined };
    }
    for (const node of asking) for (let at = node.parent; at; at = at.parent) at.opened = true;
    if (asking.some((node) => node.parent) || asking.some(hidden)) this.lay();
    const listed = asking.filter((node) => !hidden(node)).toSorted((a, b) => a.index - b.index);
    const next = listed.find((node) => active && node !== active && node.index > active.index) ?? listed[0];
    if (next) this.focusRow(next.index);
    return next !== undefined;
  }

  #openAll(open: boolean): void {
    this.model.openAll(open);
    this.expanded = open;
    this.lay();
  }

  protected override makeRow(): ListRow {
    return new ListRow({
      offered: () => this.actions,
      ask: ({ operation }) => {
        if (operation) this.dispatchEvent(new (hasEnded(operation) ? ProgressRetryRequestEvent : ProgressCancelRequestEvent)(operation));
      },
    });
  }

  protected override configure(changed: PropertyValues): void {
    const { model } = this;
    if (changed.has('limit')) this.#shown = this.limit && this.limit > 0 ? this.limit : Infinity;
    if (changed.has('filter')) model.letGo();
    model.options = {
      grouped: this.grouping !== 'none' && !this.run,
      filter: ACTIVITIES.includes(this.filter as Activity) ? (this.filter as Activity) : undefined,
      limit: this.#shown || Infinity,
      expanded: this.expanded,
    };
  }

  protected override headOf(): readonly unknown[] {
    const { counts } = this.model;
    return [...ACTIVITIES.map((one) => counts[one]), this.feed?.denied];
  }

  protected override get follows(): boolean {
    return this.follow;
  }

  protected override stateOf(): string | undefined {
    if (this.feed?.denied && !this.operations) return 'no-access';
    return this.model.size === 0 ? 'empty' : this.model.counts['needs-you'] > 0 ? 'needs-you' : undefined;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.#began || this.model.size === 0) return;
    this.#began = true;
    if (this.follow) this.view.toEnd();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.feed?.denied && !this.operations) return nothing;
    const { language, model } = this;
    const input = this.input();
    const name = this.heading || (this.operations ? undefined : this.feed?.session?.title) || tr('Operations', language);
    const content = model.size > 0 || model.rows.length > 0;
    return html`<div part="base" class="base" role="group" aria-labelledby="heading">
      <div part="head" class="top">
        <bdi part="title" class="heading" id="heading">${name}</bdi>
        ${this.plain && content ? html`<bdi part="counts" class="counts">${rollUpText(model.counts, language)}</bdi>` : nothing}
        ${content && !this.plain ? this.#tools() : nothing}<slot name="actions"></slot>
      </div>
      ${content && !this.plain ? filterBar(model, language, this.#choose) : nothing}${this.#notice(input, content)}${content ? this.#list(name) : nothing}
    </div>`;
  }

  /** Where to go, and what to open. */
  #tools(): TemplateResult {
    const { language, model } = this;
    const tree = model.nodes.some((node) => node.children.length > 0) || model.rows.some((node) => !node.operation);
    return html`${
      model.counts['needs-you']
        ? html`<button part="next" class="attention next" type="button" @click=${() => this.nextThatNeedsYou()}>
            ${icon(DOWN)}<span class="label">${tr('Next that needs you', language)}</span>
          </button>`
        : nothing
    }${
      tree
        ? html`<span class="tools"
            >${this.#tool('expand', OPEN_ALL, tr('Expand all', language), () => this.expandAll())}${this.#tool(
              'collapse',
              CLOSE_ALL,
              tr('Collapse all', language),
              () => this.collapseAll(),
            )}</span
          >`
        : nothing
    }`;
  }

  #tool(part: string, path: string, name: string, act: () => void): TemplateResult {
    return html`<button part=${part} class="tool" type="button" title=${name} aria-label=${name} @click=${act}>${icon(path)}</button>`;
  }

  /** Chosen once more, a filter lets go of what it no longer fits. */
  readonly #choose = (filter: Activity | undefined): void => {
    if ((this.filter ?? 'all') === (filter ?? 'all')) {
      this.model.letGo();
      this.lay();
    }
    this.filter = filter ?? 'all';
  };

  #notice(input: TreeInput, content: boolean): TemplateResult | typeof nothing {
    const { language, model } = this;
    if (content && model.rows.length === 0 && !input.problem)
      return html`<p class="empty">${tr('Nothing is in this state.', language)}</p>`;
    return notice(input, content, language, this.retry);
  }

  #list(name: string): TemplateResult {
    const { language, model } = this;
    const { earlier, rows } = model;
    const unprinted = rows.length - PRINTED;
    return html`${
        earlier
          ? html`<button part="earlier" class="earlier" type="button" @click=${this.#showEarlier}>
              ${tr('Show {n} earlier', language, { n: Math.min(earlier, this.limit ?? earlier) })}
            </button>`
          : nothing
      }
      <div class="frame" ?hidden=${rows.length === 0}>
        <div
          part="list"
          class="scroller"
          role="treegrid"
          aria-label=${name}
          aria-rowcount=${rows.length + 1}
          @keydown=${this.hands.key}
          @focusin=${this.hands.focus}
          @click=${this.hands.click}
          @scroll=${this.#scrolled}
        >
          <div class="rows" role="rowgroup"></div>
        </div>
        ${
          this.follow && !this.#atEnd
            ? html`<button part="newest" class="newest" type="button" @click=${this.#toEnd}>${icon(DOWN)}${tr('Newest', language)}</button>`
            : nothing
        }
      </div>
      ${unprinted > 0 ? html`<p class="unprinted">${tr('{n} more are not printed.', language, { n: unprinted })}</p>` : nothing}`;
  }

  readonly #scrolled = (): void => {
    if (!this.follow || this.#atEnd === this.view.atEnd) return;
    this.#atEnd = this.view.atEnd;
    super.requestUpdate('head', null);
  };

  readonly #toEnd = (): void => {
    this.view.toEnd();
    this.#scrolled();
  };

  readonly #showEarlier = (): void => {
    this.#shown += this.limit ?? Infinity;
    super.requestUpdate('earlier', null);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-list': ProgressList;
  }
}
