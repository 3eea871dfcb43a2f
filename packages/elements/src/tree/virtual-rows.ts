import { nextFrame } from '../display/frame.ts';
import { indexIn } from './tree-node.ts';
import type { TreeNode } from './tree-node.ts';

/** One row on the page. It is used again for another node once its own is out of sight. */
export interface RowView {
  readonly element: HTMLElement;
  node: TreeNode | undefined;
}

/** Whose rows these are. */
export interface RowsHost<View extends RowView> {
  /** A new, empty row. */
  make(): View;
  /** Writes a node, or what has changed of it, into a row. */
  show(view: View, node: TreeNode): void;
  /** Height of a closed row before any was measured, pixels. */
  estimate(): number;
  /** Height of what stays at the upper edge while rows scroll under it, pixels. */
  inset(): number;
  /** Up to so many rows are all drawn; beyond, only those in and near sight. */
  whole(): number;
  /** The row that has, or would get, the focus: it is always there. */
  active(): TreeNode | undefined;
}

/** Pixels above and below sight in which rows are drawn. */
const MARGIN = 240;
/** Rows printed at most. */
export const PRINTED = 1000;
/** So near to the end, in pixels, counts as at the end. */
const NEAR = 4;
/** Turns in which what was just measured may move others into sight. */
const TURNS = 4;

/**
 * Draws the rows of a list that are in sight, each in its place, and keeps what the reader looks at where it is. Heights are
 * measured once a row is drawn; until then it is taken to be as high as the others.
 */
export class VirtualRows<View extends RowView> {
  readonly #host: RowsHost<View>;
  readonly #views = new Map<TreeNode, View>();
  readonly #spare: View[] = [];
  #rows: readonly TreeNode[] = [];
  /** Where each row begins, and at last where all end. */
  #tops = new Float64Array(1);
  #usual = 0;
  #width = 0;
  #sight = 0;
  #box: HTMLElement | undefined;
  #scroller: HTMLElement | undefined;
  #observer: ResizeObserver | undefined;
  #printing = false;
  #measuring = false;

  constructor(host: RowsHost<View>) {
    this.#host = host;
  }

  /** Takes up the element that scrolls and the one in it that holds the rows. */
  attach(scroller: HTMLElement, box: HTMLElement): void {
    if (this.#scroller === scroller && this.#observer) return;
    this.#scroller = scroller;
    this.#box = box;
    scroller.addEventListener('scroll', this.#place, { passive: true });
    this.#observer = new ResizeObserver(() => void this.#sizes());
    this.#observer.observe(scroller);
    for (const { element } of this.#views.values()) this.#observer.observe(element);
    this.#begin();
    this.#draw(true);
  }

  /** Lets go of everything that listens. */
  detach(): void {
    this.#observer?.disconnect();
    this.#observer = undefined;
    this.#scroller?.removeEventListener('scroll', this.#place);
    this.#scroller = undefined;
  }

  /** Rows on the page now. */
  get views(): IterableIterator<View> {
    return this.#views.values();
  }

  /** The row of a node, if it is on the page. */
  viewOf(node: TreeNode | undefined): View | undefined {
    return node && this.#views.get(node);
  }

  /** True for a node whose row can be seen, at least in part. */
  isInSight(node: TreeNode): boolean {
    const at = indexIn(this.#rows, node);
    if (at < 0 || !this.#scroller) return false;
    const { scrollTop } = this.#scroller;
    return this.#tops[at]! < scrollTop + this.#sight - this.#host.inset() && this.#tops[at + 1]! > scrollTop;
  }

  /** True while the end of the list is in sight. */
  get atEnd(): boolean {
    const scroller = this.#scroller;
    return !scroller || this.#end - scroller.scrollTop <= NEAR;
  }

  /** Rows that fit into sight now, as high as these are on average. */
  get page(): number {
    const { length } = this.#rows;
    const sight = (this.#scroller?.clientHeight ?? 0) - this.#host.inset() + NEAR;
    return Math.max(1, Math.floor((sight * length) / this.#tops[length]!) - 1);
  }

  /** Draws these rows. What is at the upper edge of sight stays there, whatever comes or goes above it. */
  set(rows: readonly TreeNode[]): void {
    if (!this.#scroller) return void (this.#rows = rows);
    const hold = this.#anchor();
    this.#rows = rows;
    this.#begin();
    hold();
    this.#draw(true);
  }

  /** Brings a row into sight, or to the end of it. */
  reveal(index: number, toEnd = false): void {
    const scroller = this.#scroller;
    if (!scroller || index < 0) return;
    for (let turn = 0; turn < TURNS; turn++) {
      const top = this.#tops[index]!;
      const lowest = this.#tops[index + 1]! + this.#host.inset() - this.#sight;
      const before = scroller.scrollTop;
      const to = toEnd || before < lowest ? Math.min(Math.max(lowest, 0), toEnd ? Infinity : Math.max(top, 0)) : Math.min(before, top);
      if (Math.abs(to - before) >= 1) scroller.scrollTop = to;
      if (!this.#draw(false) && turn > 0) return;
    }
  }

  /** Goes to the end. */
  toEnd(): void {
    this.reveal(this.#rows.length - 1, true);
  }

  /** Draws as many rows as are printed, or only those in sight again. */
  print(printing: boolean): void {
    this.#printing = printing;
    if (this.#scroller) this.#draw(false);
  }

  /** Scroll position at the end. */
  get #end(): number {
    return this.#tops[this.#rows.length]! + this.#host.inset() - this.#sight;
  }

  /** Takes new measures of the place, and puts the rows one below the other. */
  #begin(): void {
    this.#usual ||= this.#host.estimate();
    this.#stack();
    this.#sight = this.#scroller!.clientHeight;
    const width = this.#scroller!.clientWidth;
    if (width !== this.#width) {
      // In another width rows have other heights.
      if (this.#width) for (const node of this.#rows) node.height = 0;
      this.#width = width;
    }
  }

  #stack(): void {
    const rows = this.#rows;
    const tops = this.#tops.length === rows.length + 1 ? this.#tops : (this.#tops = new Float64Array(rows.length + 1));
    const usual = this.#usual;
    let top = 0;
    for (let index = 0; index < rows.length; index++) {
      tops[index] = top;
      top += rows[index]!.height || usual;
    }
    tops[rows.length] = top;
    const height = `${top}px`;
    // Through CSSOM, which a strict content security policy allows.
    if (this.#box!.style.blockSize !== height) this.#box!.style.blockSize = height;
  }

  /** Remembers what is at the upper edge; what it hands back brings that there again. */
  #anchor(): () => void {
    const scroller = this.#scroller!;
    const { scrollTop } = scroller;
    if (scrollTop <= 0) return () => {};
    const index = this.#at(scrollTop);
    const node = this.#rows[index];
    const from = scrollTop - this.#tops[index]!;
    return () => {
      // A row that is gone, say under one that was closed, is held by what it lay under.
      let now = -1;
      for (let at: TreeNode | undefined = node; at && now < 0; at = at.parent) now = indexIn(this.#rows, at);
      const to = now < 0 ? scrollTop : this.#tops[now]! + from;
      if (Math.abs(to - scroller.scrollTop) >= 1) scroller.scrollTop = to;
    };
  }

  /** Index of the row at a place. */
  #at(top: number): number {
    let low = 0;
    let high = this.#rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#tops[middle]! <= top) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Places rows and measures them, as long as that moves others into sight. True if anything turned out otherwise than thought. */
  #draw(all: boolean): boolean {
    let moved = false;
    for (let turn = 0; turn < TURNS; turn++) {
      this.#place(all && turn === 0);
      if (!this.#measure()) return moved;
      moved = true;
    }
    return moved;
  }

  /** Measures what is drawn. All reading comes after all writing. */
  #measure(): boolean {
    let other = false;
    const hold = this.#anchor();
    let heights = 0;
    let closed = 0;
    for (const { element, node } of this.#views.values()) {
      const height = element.offsetHeight;
      if (!node || height === 0) continue;
      if (node.height !== height) {
        node.height = height;
        other = true;
      }
      if (node.operation && element.ariaExpanded !== 'true') {
        heights += height;
        closed++;
      }
    }
    if (!other || this.#printing) return false;
    const usual = closed ? Math.round(heights / closed) : this.#usual;
    if (Math.abs(usual - this.#usual) > 2) this.#usual = usual;
    this.#stack();
    hold();
    return true;
  }

  /** Something has another size: a row, because its words wrap, or the whole. */
  async #sizes(): Promise<void> {
    if (this.#measuring) return;
    this.#measuring = true;
    await nextFrame();
    this.#measuring = false;
    if (!this.#scroller) return;
    const hold = this.#anchor();
    const wasAtEnd = this.atEnd && this.#scroller.scrollTop > 0;
    this.#begin();
    hold();
    this.#draw(false);
    if (wasAtEnd && !this.atEnd) this.toEnd();
  }

  /** Indexes of the rows to be drawn. */
  #wanted(): readonly number[] {
    const count = this.#rows.length;
    if (count <= this.#host.whole() || this.#printing) {
      return Array.from({ length: this.#printing ? Math.min(count, PRINTED) : count }, (_none, index) => index);
    }
    const { scrollTop } = this.#scroller!;
    const first = this.#at(scrollTop - MARGIN);
    const last = this.#at(scrollTop + this.#sight + MARGIN);
    const wanted: number[] = [];
    for (let index = first; index <= last; index++) wanted.push(index);
    const active = indexIn(this.#rows, this.#host.active());
    if (active >= 0 && active < first) wanted.unshift(active);
    else if (active > last) wanted.push(active);
    return wanted;
  }

  /** Puts every wanted row in its place. `all` also writes those that are there already: their level or place may be another. */
  readonly #place = (all: unknown): void => {
    const wanted = this.#wanted();
    const nodes = new Set(wanted.map((index) => this.#rows[index]!));
    for (const [node, view] of this.#views) {
      if (nodes.has(node)) continue;
      this.#views.delete(node);
      view.node = undefined;
      // Taken out first, so that no row that stays, and may have the focus, has to be moved past it.
      view.element.remove();
      this.#spare.push(view);
    }
    let next = this.#box!.firstChild;
    for (const index of wanted) {
      const node = this.#rows[index]!;
      let view = this.#views.get(node);
      const fresh = !view;
      if (!view) {
        const spare = this.#spare.pop();
        view = spare ?? this.#host.make();
        view.node = node;
        this.#views.set(node, view);
        if (!spare) this.#observer?.observe(view.element);
      }
      const { element } = view;
      const place = `0 ${this.#tops[index]!}px`;
      if (element.style.translate !== place) element.style.translate = place;
      if (all === true || fresh) this.#host.show(view, node);
      if (element === next) next = element.nextSibling;
      else this.#box!.insertBefore(element, next);
    }
  };
}
