import { clockTime, displayTitle, duration, elapsed } from '@sitrep/schema/select';
import type { Connection, Language } from '@sitrep/schema/select';
import { make, write } from '../display/make.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { hasEnded, look, shownState } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import { drawDetails } from '../tool-progress/details.ts';
import type { TreeNode } from './tree-node.ts';
import type { RowView } from './virtual-rows.ts';

/** What a row needs to know besides its node. */
export interface RowContext {
  readonly language: Language;
  readonly now: number;
  readonly connection: Connection | undefined;
  /** Name of a run that the page knows. */
  readonly runTitle: ((key: string) => string | undefined) | undefined;
  /** The reader sees its details, or what is under it. */
  readonly open: boolean;
  /** It is the one the keyboard comes to. */
  readonly stop: boolean;
}

/** Deeper rows are drawn at this depth, so that there is always room for a title. */
const DEEPEST = 8;

/** A new element with its part, the class of the same name, its role and what is in it. */
export function cell(tag: string, part: string, role?: string, ...inside: readonly Element[]): HTMLElement {
  const element = make(tag, part, part);
  if (role) element.setAttribute('role', role);
  element.append(...inside);
  return element;
}

/** Sets an attribute, or takes it away; an equal one is left alone. */
export function attribute(at: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined) at.removeAttribute(name);
  else if (at.getAttribute(name) !== String(value)) at.setAttribute(name, String(value));
}

const SVG = 'http://www.w3.org/2000/svg';

/** Drawing and word of a state, as `pill` draws them, written by hand: rows come and go by the dozen while one scrolls. */
export class PillCell {
  readonly element: HTMLElement;
  readonly #path = document.createElementNS(SVG, 'path');
  readonly #label = cell('span', 'label');
  #tone = '';

  constructor() {
    const drawing = document.createElementNS(SVG, 'svg');
    drawing.setAttribute('viewBox', '0 0 16 16');
    drawing.setAttribute('aria-hidden', 'true');
    drawing.append(this.#path);
    this.element = cell('span', 'pill');
    this.element.append(drawing, this.#label);
  }

  show(state: ShownState, word: string): void {
    const [path, tone] = look(state);
    attribute(this.#path, 'd', path);
    if (this.#tone !== tone) this.element.className = `pill ${(this.#tone = tone)}`;
    write(this.#label, word);
  }
}

/** When what lies under a row was last heard of, epoch milliseconds. */
const heardUnder = (nodes: readonly TreeNode[]): number =>
  nodes.reduce((last, { operation, children }) => Math.max(last, operation?.updatedAt ?? 0, heardUnder(children)), 0);

/** What every row has: its place in the tree, its name, its state, and details that are drawn when they are first opened. */
export abstract class Row implements RowView {
  readonly element: HTMLElement = cell('div', 'row', 'row');
  node: TreeNode | undefined;
  protected readonly name: HTMLElement;
  protected readonly title = cell('bdi', 'title');
  protected readonly pill = new PillCell();
  protected readonly body = cell('div', 'body', 'gridcell');
  #facts: HTMLElement | undefined;

  constructor() {
    const mark = make('span', '', 'mark');
    mark.setAttribute('aria-hidden', 'true');
    this.name = cell('div', 'name', 'gridcell', mark, this.title);
    this.body.hidden = true;
  }

  /** Writes a node into the row; what is the same stays untouched. */
  show(node: TreeNode, context: RowContext): void {
    const { element } = this;
    const { language, open, stop } = context;
    attribute(element, 'aria-level', node.level);
    attribute(element, 'aria-setsize', node.setSize);
    attribute(element, 'aria-posinset', node.place);
    attribute(element, 'aria-rowindex', node.index + 2);
    attribute(element, 'aria-expanded', open);
    attribute(element, 'tabindex', stop ? 0 : -1);
    const depth = String(Math.min(node.level, DEEPEST) - 1);
    if (element.style.getPropertyValue('--_depth') !== depth) element.style.setProperty('--_depth', depth);
    const { operation, run } = node;
    let view: ShownOperation['view'] = { now: context.now, connection: context.connection, run };
    let state = operation ? shownState(operation, view) : (run?.state ?? 'pending');
    if (operation && (state === 'quiet' || state === 'stale')) {
      view = { ...view, heard: heardUnder(node.children) };
      state = shownState(operation, view);
    }
    const cancelling = operation?.cancelRequested && state === operation.state && !hasEnded(operation);
    const settled = operation ? hasEnded(operation) : run?.state !== 'running';
    const kind = `row ${operation ? 'operation' : 'run'} ${settled ? 'settled' : 'live'} ${open ? 'open' : ''} ${state} ${look(state)[1]}`;
    if (element.className !== kind) element.className = kind;
    if (operation || run) this.pill.show(state, tr(cancelling ? 'cancelling' : look(state)[2], language));
    this.pill.element.hidden = !operation && !run;
    write(
      this.title,
      operation ? displayTitle(operation, language) : (context.runTitle?.(node.runKey!) ?? tr('Run {n}', language, { n: node.ordinal })),
    );
    this.#details(node, { ...context, view }, open && !!operation && (node.opened === true || node.children.length === 0));
    this.values(node, context, state);
  }

  /** Writes what may change many times a second. */
  protected abstract values(node: TreeNode, context: RowContext, state: ShownState): void;

  #details({ operation }: TreeNode, { language, view }: RowContext & { readonly view: ShownOperation['view'] }, open: boolean): void {
    if (this.body.hidden === open) this.body.hidden = !open;
    if (open && operation) {
      this.#facts ??= this.body.appendChild(make('div', '', 'facts'));
      drawDetails(this.body, { operation, view, language, nested: [] }, true, this.#facts);
      write(this.#facts, facts(operation, view.now, language));
    } else if (this.#facts) {
      // It may be another operation's by now.
      this.body.replaceChildren();
      this.#facts = undefined;
    }
  }
}

/** When it began, how long it took, which attempt it is. */
function facts(operation: ShownOperation['operation'], now: number, language: Language): string {
  const began = clockTime(operation.startedAt, language);
  const took = elapsed(operation, now);
  return [
    operation.attempt > 1 && tr('attempt {n}', language, { n: operation.attempt }),
    began && tr('started {time}', language, { time: began }),
    took !== undefined && took < Infinity && duration(took, language),
  ]
    .filter(Boolean)
    .join(' · ');
}
