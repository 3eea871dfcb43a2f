import { html, nothing } from 'lit';
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
import { details } from '../tool-progress/details.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import { attribute, make, put, Row } from '../tree/row.ts';
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
  readonly #message = make('bdi', 'message');
  readonly #fill = make('div', 'fill');
  readonly #bar = make('div', 'bar', 'progressbar', this.#fill);
  readonly #percent = make('bdi', 'percent');
  readonly #amount = make('bdi', 'amount');
  readonly #elapsed = make('bdi', 'elapsed');
  readonly #buttons = make('div', 'buttons', 'gridcell');
  #button: HTMLButtonElement | undefined;
  #part: number | undefined;

  constructor(actions: RowActions) {
    super();
    this.#actions = actions;
    this.name.append(this.#message);
    this.element.append(
      this.name,
      this.#buttons,
      make('div', 'measure', 'gridcell', this.#bar, this.#percent, this.#amount),
      make('div', 'time', 'gridcell', this.#elapsed),
      make('div', 'state', 'gridcell', this.pill.element),
      this.body,
    );
  }

  protected override values(node: TreeNode, context: RowContext, state: ShownState): void {
    const { operation, counts, run } = node;
    const { language, now } = context;
    const bar = this.#bar;
    if (!operation) {
      bar.hidden = true;
      put(this.#message, counts && rollUpText(counts, language));
      put(this.#percent, undefined);
      put(this.#amount, undefined);
      put(this.#elapsed, clockTime(run?.startedAt, language, 'minute'));
      this.#offer(node, context);
      return;
    }
    const done = percent(operation);
    const ended = hasEnded(operation);
    const child = context.open ? undefined : speaker(node);
    // What somebody has to know goes before what it says of itself; open, it stands below.
    const urgent = operation.blockedOn?.prompt ?? operation.error?.message;
    put(this.#message, (!context.open && urgent) || operation.message || (child && summary(child, language)));
    this.#message.classList.toggle('urgent', !!urgent && !context.open);
    put(this.#percent, done === undefined ? undefined : formatPercent(done, language));
    put(this.#amount, amount(operation, language));
    const took = elapsed(operation, now);
    put(this.#elapsed, took! < Infinity ? duration(took!, language) : undefined);
    // Only what moves says by a bar that nothing is known of how far it is.
    bar.hidden = done === undefined && (ended || state !== 'running');
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

  protected override detailsOf(shown: ShownOperation, facts: string): unknown {
    return html`${details(shown, true)}${facts ? html`<p class="facts">${facts}</p>` : nothing}`;
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
      this.#button = button = make('button', '');
      button.type = 'button';
      button.addEventListener('click', () => this.node && this.#actions.ask(this.node));
    }
    attribute(button, 'part', name);
    button.disabled = !ended && operation.cancelRequested === true;
    button.tabIndex = stop ? 0 : -1;
    put(button, tr(ended ? 'Try again' : 'Cancel', language));
    attribute(button, 'aria-label', `${tr(ended ? 'Try again' : 'Cancel', language)} ${displayTitle(operation, language)}`);
    if (!button.isConnected) this.#buttons.append(button);
  }
}
