import type { PropertyDeclarations, PropertyValues } from 'lit';
import { elapsed } from '@sitrep/schema/select';
import type { Connection } from '@sitrep/schema/select';
import type { Operation, Run } from '@sitrep/schema';
import type { FeedState, SessionState } from '../display/feed.ts';
import { beat, nextFrame } from '../display/frame.ts';
import { ProgressElement, property } from '../display/progress-element.ts';
import { hasEnded } from '../display/shown-state.ts';
import { trProblem, tr } from '../display/tr.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { News } from './news.ts';
import type { Row, RowContext } from './row.ts';
import { RowHands } from './row-hands.ts';
import type { HandledTree } from './row-hands.ts';
import { OfRun } from './tree-input.ts';
import type { TreeInput } from './tree-input.ts';
import { TreeModel } from './tree-model.ts';
import type { TreeChange } from './tree-model.ts';
import { indexIn } from './tree-node.ts';
import type { TreeNode } from './tree-node.ts';
import { VirtualRows } from './virtual-rows.ts';
import type { RowsHost } from './virtual-rows.ts';

/** Rows are written this often at most, milliseconds. */
const QUANTUM = 100;
/** The same while the element is scrolled out of sight. */
const OUT_OF_SIGHT = 1000;
/** From here on elapsed time is shown without seconds. */
const HOUR = 3_600_000;

/**
 * What the list and the timeline share: many operations as rows of a tree, of which only those in sight are drawn. A change of
 * one record writes one row; the element itself renders only when its head has to say something else.
 */
export abstract class TreeElement extends ProgressElement {
  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    operations: property,
    runs: property,
    run: {},
    heading: {},
    whole: { type: Number },
    runTitle: property,
  };

  /** The operations to show. Take precedence over the session's. */
  declare operations: readonly Operation[] | null | undefined;
  /** The runs they belong to. Take precedence over the session's. */
  declare runs: readonly Run[] | null | undefined;

  /**
   * Key of the one run to show. By default all are shown.
   * @attr
   */
  declare run: string | undefined;

  /**
   * What it is called. By default the title of the session.
   * @attr
   */
  declare heading: string | undefined;

  /**
   * Up to so many rows all are drawn, in sight or not, so that find-in-page reaches them. Default: 50.
   * @attr
   */
  declare whole: number;

  /** What to call a run, by its key; by default runs are numbered. */
  declare runTitle: ((key: string) => string | undefined) | null | undefined;

  protected readonly model = new TreeModel();
  protected readonly view = new VirtualRows<Row>(this.#rowsHost());
  /** What the reader does to rows, for templates. */
  protected readonly hands = new RowHands(this.#handled());
  readonly #news = new News(this);
  #active: TreeNode | undefined;
  #syncing: Promise<void> | undefined;
  #synced = -Infinity;
  #refreshed = -Infinity;
  #outOfSight = false;
  #hadFocus = false;
  #moves = true;
  #drawn: readonly unknown[] = [];
  readonly #ofRun = new OfRun();
  #connection: Connection | undefined;
  #session: string | undefined;

  constructor() {
    super();
    this.whole = 50;
    this.addEventListener('contentvisibilityautostatechange', (event) => {
      this.#outOfSight = (event as ContentVisibilityAutoStateChangeEvent).skipped;
    });
  }

  /** Height of a closed row before it was measured, pixels. */
  protected abstract readonly estimate: number;
  /** Height of what stays above the rows within what scrolls, pixels. */
  protected abstract readonly inset: number;
  protected abstract makeRow(): Row;
  /** What else the head says; it is rendered again only when one of these, or of the common ones, is another. */
  protected abstract headOf(input: TreeInput): readonly unknown[];

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('beforeprint', this.#beforePrint);
    addEventListener('afterprint', this.#afterPrint);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('beforeprint', this.#beforePrint);
    removeEventListener('afterprint', this.#afterPrint);
    this.#outOfSight = false;
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.view.detach();
      this.#news.forget();
    });
  }

  /**
   * Hears of every state of the session.
   * @internal
   */
  heard({ session }: FeedState): void {
    if (!session?.loaded || session.session === this.#session) return;
    if (this.#session !== undefined) this.#news.forget();
    this.#session = session.session;
  }

  /** Where only records have changed, rows are written as they are, without a render. */
  override requestUpdate(name?: PropertyKey, ...rest: [unknown?]): void {
    const records = !name || name === 'operations' || name === 'runs';
    if (records && this.hasUpdated && !this.isUpdatePending && this.model.size > 0) {
      this.#syncing ??= this.#syncSoon();
      return;
    }
    super.requestUpdate(name, ...rest);
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await this.#syncing;
    return super.getUpdateComplete();
  }

  async #syncSoon(): Promise<void> {
    const since = performance.now() - this.#synced;
    await (this.#outOfSight ? beat(OUT_OF_SIGHT) : since < QUANTUM ? beat(QUANTUM) : nextFrame());
    this.#syncing = undefined;
    if (this.isConnected && !this.isUpdatePending) this.sync();
  }

  /** Where everything stands now. */
  protected input(): TreeInput {
    const { feed } = this;
    const own = this.record('operations', this.operations);
    const session = own ? undefined : feed?.session;
    const error = own ? undefined : feed?.error;
    const lost = session?.connection.state === 'lost';
    return {
      operations: this.#ofRun.operations(own ?? session?.operations, this.run),
      runs: this.#ofRun.runs(this.record('runs', this.runs) ?? session?.runs, this.run),
      connection: session?.connection,
      problem: error ? trProblem(error, this.language) : lost ? tr('The connection was lost.', this.language) : undefined,
      loading: !own && !!feed && !session?.loaded,
    };
  }

  /** The same of a session as it stood at some time. */
  protected from(session: SessionState): TreeInput {
    return {
      operations: this.#ofRun.operations(session.operations, this.run),
      runs: this.#ofRun.runs(session.runs, this.run),
      connection: undefined,
      problem: undefined,
      loading: false,
    };
  }

  /** Takes in what is new and writes the rows it changed. */
  protected sync(input: TreeInput = this.input()): void {
    const now = performance.now();
    this.#synced = now;
    const { changed, structure } = this.#take(input);
    const all = input.connection !== this.#connection || now - this.#refreshed >= 950;
    this.#connection = input.connection;
    if (all) this.#refreshed = now;
    if (structure || (this.model.options.filter && [...changed].some((node) => node.operation))) this.lay();
    for (const row of this.view.views) {
      const { node } = row;
      if (node && (changed.has(node) || (all && isLive(node)))) row.show(node, this.context(node));
    }
    const head = this.#headOf(input);
    const same = head.length === this.#drawn.length && head.every((value, index) => value === this.#drawn[index]);
    // Not what it was, so that the name does not count as a property.
    if (same) this.#pace();
    else super.requestUpdate('head', null);
  }

  #take(input: TreeInput): TreeChange {
    const change = this.model.take(input.operations, input.runs);
    this.took(change.added);
    this.took(change.changed);
    if (!this.past) this.#news.take(change, input.runs, !input.loading);
    return change;
  }

  #headOf(input: TreeInput): readonly unknown[] {
    const { rows, size, earlier } = this.model;
    return [input.problem, input.loading, rows.length === 0, size === 0, earlier, ...this.headOf(input)];
  }

  /** Lays the rows out again and draws those in sight. */
  protected lay(): void {
    this.#layOut();
    this.#draw();
  }

  /** The focus stays with its row, or goes to what is nearest to it. */
  #layOut(): void {
    const { model, view } = this;
    const before = model.rows;
    const active = this.#active;
    this.#hadFocus = !!active && !!view.viewOf(active)?.element.contains(this.#focused());
    const at = indexIn(before, active);
    model.lay((node) => view.isInSight(node));
    if (!active || indexIn(model.rows, active) >= 0) return;
    let near: TreeNode | undefined = active.parent;
    while (near && indexIn(model.rows, near) < 0) near = near.parent;
    this.#active = near ?? model.rows[Math.min(Math.max(0, at), model.rows.length - 1)];
  }

  #draw(): void {
    const { model, view } = this;
    const follows = this.follows && view.atEnd;
    view.set(model.rows);
    if (follows) view.toEnd();
    if (this.#hadFocus && !view.viewOf(this.#active)?.element.contains(this.#focused())) this.focusRow(indexIn(model.rows, this.#active));
    this.#hadFocus = false;
  }

  #focused(): Element | null {
    return (this.renderRoot as ShadowRoot).activeElement;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    this.configure(changed);
    const input = this.input();
    const { structure } = this.#take(input);
    // A head that says something else moves no row.
    this.#moves = structure || changed.size !== 1 || !changed.has('head');
    if (this.#moves) this.#layOut();
    this.#drawn = this.#headOf(input);
    this.#connection = input.connection;
  }

  /** Sets the model's options from the properties. */
  protected abstract configure(changed: PropertyValues): void;

  protected override updated(_changed: PropertyValues): void {
    const root = this.renderRoot as ShadowRoot;
    const scroller = root.querySelector<HTMLElement>('.scroller');
    const box = root.querySelector<HTMLElement>('.rows');
    if (scroller && box) {
      if (this.#moves) this.#draw();
      this.view.attach(scroller, box);
    } else this.view.detach();
    this.#pace();
  }

  /** The clock is asked for only while something on the page depends on it. */
  #pace(): void {
    let pace = 0;
    const now = Date.now();
    if (!this.past)
      for (const { node } of this.view.views)
        if (node && isLive(node)) pace = node.operation && (elapsed(node.operation, now) ?? HOUR) < HOUR ? 1 : pace || 30;
    this.stand(pace, undefined, undefined, this.stateOf());
  }

  /** A state for the page's styles. */
  protected stateOf(): string | undefined {
    return undefined;
  }

  /** True where the newest is followed for as long as the reader is at the end. */
  protected get follows(): boolean {
    return false;
  }

  /** Called with what came, and with what changed. */
  protected took(_nodes: Iterable<TreeNode>): void {}

  /** What comes next is what is there, and no news. */
  protected silence(): void {
    this.#news.forget();
  }

  /** True while something is shown that was, and is no more. */
  protected get past(): boolean {
    return false;
  }

  /** Time by which rows are judged. */
  protected get now(): number {
    return Date.now();
  }

  protected context(node: TreeNode): RowContext {
    return {
      language: this.language,
      now: this.now,
      connection: this.past ? undefined : this.#connection,
      runTitle: this.runTitle ?? undefined,
      open: this.model.isOpen(node),
      stop: node === this.active,
    };
  }

  /**
   * The row that the keyboard comes to.
   * @internal
   */
  get active(): TreeNode | undefined {
    return indexIn(this.model.rows, this.#active) < 0 ? this.model.rows[0] : this.#active;
  }

  /**
   * Opens or closes a row.
   * @internal
   */
  setOpen(node: TreeNode, open: boolean): void {
    if (this.model.isOpen(node) === open) return;
    node.opened = open;
    this.lay();
  }

  /**
   * Brings a row into sight and gives it the focus.
   * @internal
   */
  focusRow(index: number): void {
    const node = this.model.rows[index];
    if (!node) return;
    this.#makeActive(node);
    this.view.reveal(index);
    this.view.viewOf(node)?.element.focus({ preventScroll: true });
  }

  #makeActive(node: TreeNode): void {
    const before = this.active;
    this.#active = node;
    for (const one of [before, node]) {
      const row = this.view.viewOf(one);
      if (one && row) row.show(one, this.context(one));
    }
  }

  #rowsHost(): RowsHost<Row> {
    return {
      make: () => this.makeRow(),
      show: (row, node) => row.show(node, this.context(node)),
      estimate: () => this.estimate,
      inset: () => this.inset,
      whole: () => this.whole,
      active: () => this.active,
    };
  }

  #handled(): HandledTree {
    return {
      rows: () => this.model.rows,
      page: () => this.view.page,
      rightToLeft: () => this.matches(':dir(rtl)'),
      isOpen: (node) => this.model.isOpen(node),
      setOpen: (node, open) => this.setOpen(node, open),
      focusRow: (index) => this.focusRow(index),
      views: () => this.view.views,
      active: () => this.active,
      makeActive: (node) => this.#makeActive(node),
      controlsOf: (node) => [...(this.view.viewOf(node)?.element.querySelectorAll<HTMLElement>('button:not([disabled]), a') ?? [])],
    };
  }

  protected readonly retry = (): void => {
    if (this.dispatchEvent(new ProgressRetryRequestEvent())) this.reload();
  };

  /** A printer gets what it has room for, not what happens to be in sight. */
  readonly #beforePrint = (): void => this.view.print(true);
  readonly #afterPrint = (): void => this.view.print(false);
}

/** True for a row that may change by itself as time goes by. */
const isLive = ({ operation, run }: TreeNode): boolean => (operation ? !hasEnded(operation) : run?.state === 'running');
