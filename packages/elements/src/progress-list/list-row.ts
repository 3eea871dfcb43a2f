import {
  amount,
  clockTime,
  displayTitle,
  duration,
  elapsed,
  formatPercent,
  fraction,
  percent,
  rollUpText,
  summary,
} from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { make, write } from '../display/make.ts';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import { attribute, cell, Row } from '../tree/row.ts';
import type { RowContext } from '../tree/row.ts';
import type { TreeNode } from '../tree/tree-node.ts';

/** Which buttons a row may have, and what they do. */
export interface RowActions {
  offered(): string | undefined;
  ask(node: TreeNode): void;
}

/** What speaks for a closed row: what needs somebody under it, else its newest live part. */
function speaker({ children }: TreeNode): Operation | undefined {
  const parts = children.map(({ operation }) => operation).filter((operation) => operation && !hasEnded(operation));
  return parts.find((operation) => operation?.state === 'blocked') ?? parts.at(-1);
}

/** One operation, or the head of a run, in a list. */
export class ListRow extends Row {
  readonly #actions: RowActions;
  readonly #message = cell('bdi', 'message');
  readonly #fill = cell('div', 'fill');
  readonly #bar = cell('div', 'bar', 'progressbar', this.#fill);
  readonly #percent = cell('bdi', 'percent');
  readonly #amount = cell('bdi', 'amount');
  readonly #elapsed = cell('bdi', 'elapsed');
  readonly #measure = cell('div', 'measure', 'gridcell', this.#bar, this.#percent, this.#amount);
  readonly #buttons = cell('div', 'buttons', 'gridcell');
  #button: HTMLButtonElement | undefined;
  #part: number | undefined;

  constructor(actions: RowActions) {
    super();
    this.#actions = actions;
    this.name.append(this.#message);
    this.element.append(
      this.name,
      this.#buttons,
      this.#measure,
      cell('div', 'time', 'gridcell', this.#elapsed),
      cell('div', 'state', 'gridcell', this.pill.element),
      this.body,
    );
  }

  protected override values(node: TreeNode, context: RowContext, state: ShownState): void {
    const { operation, counts, run } = node;
    const { language, now } = context;
    const bar = this.#bar;
    if (!operation) {
      this.#measure.hidden = bar.hidden = true;
      write(this.#message, counts ? rollUpText(counts, language) : '');
      write(this.#percent, '');
      write(this.#amount, '');
      write(this.#elapsed, clockTime(run?.startedAt, language, 'minute') ?? '');
      this.#offer(node, context);
      return;
    }
    const done = percent(operation);
    const ended = hasEnded(operation);
    const child = context.open ? undefined : speaker(node);
    // What somebody has to know goes before what it says of itself; open, it stands below.
    const urgent = operation.blockedOn?.prompt ?? operation.error?.message;
    write(this.#message, (!context.open && urgent) || operation.message || (child ? summary(child, language) : ''));
    this.#message.classList.toggle('urgent', !!urgent && !context.open);
    // What went well is all done: a full bar and "100%" would say so twice more.
    const whole = state === 'completed';
    write(this.#percent, done === undefined || whole ? '' : formatPercent(done, language));
    const count = amount(operation, language) ?? '';
    write(this.#amount, count);
    const took = elapsed(operation, now);
    write(this.#elapsed, took! >= 1000 && took! < Infinity ? duration(took!, language) : '');
    // Only what moves says by a bar that nothing is known of how far it is.
    bar.hidden = whole || (done === undefined && (ended || state !== 'running'));
    // Where there is nothing to measure its button has the place.
    this.#measure.hidden = bar.hidden && !count;
    if (!bar.hidden) {
      attribute(bar, 'aria-label', displayTitle(operation, language));
      attribute(bar, 'aria-valuenow', done);
      const kind = done === undefined ? `bar unknown ${state}` : 'bar';
      if (bar.className !== kind) bar.className = kind;
    }
    const part = fraction(operation);
    if (part !== this.#part) this.#fill.style.transform = (this.#part = part) === undefined ? '' : `scaleX(${part})`;
    this.#offer(node, context);
  }

  /** The one button that fits where the operation stands. It comes with the row that the keyboard is on. */
  #offer(node: TreeNode, { language, stop }: RowContext): void {
    const { operation } = node;
    const ended = operation && hasEnded(operation);
    const name = ended ? 'retry' : 'cancel';
    const offered =
      operation && this.#actions.offered()?.includes(name) && (ended ? operation.state !== 'completed' : operation.cancellable);
    if (!offered) {
      this.#button?.remove();
      return;
    }
    let button = this.#button;
    if (!button) {
      this.#button = button = make('button', '') as HTMLButtonElement;
      button.type = 'button';
      button.addEventListener('click', () => this.node && this.#actions.ask(this.node));
    }
    attribute(button, 'part', name);
    button.disabled = !ended && operation.cancelRequested === true;
    button.tabIndex = stop ? 0 : -1;
    write(button, tr(ended ? 'Try again' : 'Cancel', language));
    attribute(button, 'aria-label', `${tr(ended ? 'Try again' : 'Cancel', language)} ${displayTitle(operation, language)}`);
    if (!button.isConnected) this.#buttons.append(button);
  }
}
