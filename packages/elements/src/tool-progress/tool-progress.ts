import type { Operation } from '@sitrep/schema';
import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { displayTitle, elapsed, percent } from '@sitrep/schema/select';
import { Disclosure, openAttribute } from '../display/disclosure.ts';
import { beat } from '../display/frame.ts';
import { OperationElement } from '../display/operation-element.ts';
import { pill, pillStyles } from '../display/pill.ts';
import { property } from '../display/progress-element.ts';
import { rows } from '../display/rows.ts';
import type { Rows } from '../display/rows.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { hasEnded, look, shownState } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tr, trProblem } from '../display/tr.ts';
import { tones } from '../display/tones.styles.ts';
import type { OperationNode } from '../display/tree.ts';
import type { Phrase } from '../locales/phrases.ts';
import { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { BarTiming } from './bar-timing.ts';
import type { BarPhase } from './bar-timing.ts';
import { CancelWatch } from './cancel-watch.ts';
import { details } from './details.ts';
import { differInValues, Live, STILL, workedFor } from './live.ts';
import type { Tempo } from './tempo.ts';
import { styles } from './tool-progress.styles.ts';

export type { ProgressCancelRequestEvent, ProgressDismissRequestEvent, ProgressRetryRequestEvent, ProgressToggleEvent };

/** From here on elapsed time is shown without seconds. */
const HOUR = 3_600_000;
/** Values on the page move this often, all at once, milliseconds; a change of state is drawn with the next frame. */
const QUANTUM = 100;
/** The same for what is scrolled out of sight. */
const OUT_OF_SIGHT = 1000;
/** Work that is over before that shows no bar, milliseconds. */
const SHOW_DELAY = 200;
/** A bar that was shown stays at least so long, milliseconds. */
const MIN_VISIBLE = 500;

let makeTempo: (() => Tempo) | undefined;
let loadingTempo: Promise<void> | undefined;

/**
 * One operation: what is done, how far it is, what it waits for, and what came of it.
 *
 * While it goes on its details stay closed; what has ended opens by itself; once the reader has opened or closed it,
 * that holds for as long as the element shows this operation.
 *
 * Work that is over within `show-delay` shows no bar, and a bar that was shown stays for `min-visible`, so that nothing flashes. States,
 * names and values are never late by that.
 *
 * @tag tool-progress
 * @summary Shows one operation with its bar, state and details.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opened or closed the details.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop the operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run the operation again.
 * @fires {ProgressDismissRequestEvent} progress-dismiss-request - The reader asks to put away an operation that has ended.
 *
 * @slot - Further details, shown while open.
 * @slot actions - Further buttons beside the pill.
 *
 * @csspart base - Everything inside the element.
 * @csspart head - Title, message, pill and buttons.
 * @csspart toggle - The button that opens and closes the details; it holds the title.
 * @csspart title - The title.
 * @csspart message - What it does right now; while closed, else what its newest live part does.
 * @csspart pill - The state.
 * @csspart label - The word in the pill.
 * @csspart bar - The track of the bar.
 * @csspart fill - The filled part of the bar.
 * @csspart meta - Percentage, amount and time.
 * @csspart percent - The percentage.
 * @csspart amount - The amount: "42 of 100 files"; also its rate and the time left where both can be relied on, the attempt, that it
 *   is finishing, or how long nobody has been heard.
 * @csspart elapsed - The time it has taken.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart body - The details.
 * @csspart nested - The list of operations under this one.
 * @csspart operation - One of them.
 * @csspart cancel - The button that asks to stop.
 * @csspart retry - The button that asks to run again.
 * @csspart dismiss - The button that asks to put away.
 *
 * @cssstate running - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 * @cssstate open - The details are open.
 */
export class ToolProgress extends OperationElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, styles];

  static override properties: PropertyDeclarations = {
    ...OperationElement.properties,
    nested: property,
    open: openAttribute,
    actions: {},
    attempts: { type: Number },
    showDelay: { type: Number, attribute: 'show-delay' },
    minVisible: { type: Number, attribute: 'min-visible' },
  };

  /** What runs under this operation. Without it, a session's own order is followed. */
  declare nested: readonly OperationNode[] | null | undefined;

  /**
   * Opens the details, or keeps them closed with `open="false"`. Absent, they open when the operation has ended. The
   * reader's own choice goes before this.
   * @attr
   */
  declare open: boolean | undefined;

  /**
   * The buttons to offer, divided by spaces: `cancel` where the operation can be stopped, `retry` where it did not succeed,
   * `dismiss` where it has ended.
   * @attr
   */
  declare actions: string | undefined;

  /**
   * How many attempts there are at most, where the page knows: "attempt 2 of 3" instead of "attempt 2".
   * @attr
   */
  declare attempts: number | undefined;

  /**
   * Milliseconds of work before the bar is seen. Default: 200. Counted from the start of the operation, else from when the element first
   * has it.
   * @attr show-delay
   */
  declare showDelay: number | undefined;

  /**
   * Milliseconds a bar is seen at least, once it was. Default: 500.
   * @attr min-visible
   */
  declare minVisible: number | undefined;

  readonly #disclosure = new Disclosure(this);
  readonly #live = new Live();
  readonly #timing = new BarTiming();
  readonly #cancel = new CancelWatch();
  #tempo: Tempo | undefined;
  #rows: Rows | undefined;
  #drawn:
    | (ShownOperation & { readonly state: ShownState; readonly open: boolean; readonly asked: boolean; readonly phase: BarPhase })
    | undefined;
  #moving: Promise<void> | undefined;
  #bodyBuilt = false;
  #outOfSight = false;

  constructor() {
    super();
    this.addEventListener('contentvisibilityautostatechange', (event: Event & { readonly skipped?: boolean }) => {
      if (event.target === this) this.#outOfSight = !!event.skipped;
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#outOfSight = false;
  }

  get followsAll(): boolean {
    return this.#bodyBuilt;
  }

  /** Where only values have changed they are written as they are, without a render. */
  override requestUpdate(name?: PropertyKey, ...rest: [unknown?]): void {
    if (this.hasUpdated && !this.isUpdatePending && (!name || name === 'operation' || name === 'nested') && this.#write()) return;
    super.requestUpdate(name, ...rest);
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await this.#moving;
    return super.getUpdateComplete();
  }

  /** Scrolled out of sight it renders about once a second: late by little, and nearly for free. */
  protected override turn(): Promise<void> {
    return this.#outOfSight ? beat(OUT_OF_SIGHT) : super.turn();
  }

  /** Writes the values soon. False if more than values has changed since the last render. */
  #write(): boolean {
    const found = this.#find();
    const drawn = this.#drawn;
    if (!found || !drawn || found.operation.waitingOn || shownState(found.operation, found.view) !== drawn.state) return false;
    if (drawn.asked && !this.#isAsked(found.operation)) return false;
    if ((drawn.open && drawn.nested.length + found.nested.length > 0) || !differInValues(drawn.operation, found.operation)) return false;
    this.#moving ??= this.#writeSoon();
    return true;
  }

  async #writeSoon(): Promise<void> {
    await beat(this.#outOfSight ? OUT_OF_SIGHT : QUANTUM);
    this.#moving = undefined;
    const found = this.#find();
    if (found && this.#drawn && !this.isUpdatePending) this.#fill(found);
  }

  /** Writes the values now. */
  #fill(found: ShownOperation): void {
    const { state, open } = this.#drawn!;
    const { operation, view, language } = found;
    const { attempt } = operation;
    const { attempts = 0 } = this;
    const attemptText =
      attempts > 1 || attempt > 1
        ? tr(attempts >= attempt ? 'attempt {n} of {total}' : 'attempt {n}', language, { n: attempt, total: attempts })
        : undefined;
    this.#live.write(found, state, open, [...this.#tempoOf(found.operation).words(operation, view.now, language), attemptText]);
  }

  /** Whether somebody asked to cancel and may still expect an answer. */
  #isAsked(operation: Operation): boolean {
    return this.#cancel.isWaiting(attemptKey(operation), operation.cancelRequested, Date.now());
  }

  #find(): ShownOperation | undefined {
    return this.find(this.nested ?? []);
  }

  protected override render(): TemplateResult {
    const found = this.#find();
    this.#drawn = undefined;
    if (!found) return this.#withoutOperation();
    const { operation, view, language } = found;
    const ended = hasEnded(operation);
    const state = shownState(operation, view);
    const open = this.#disclosure.isOpen(ended, JSON.stringify([operation.run, operation.id]));
    const asked = !ended && this.#isAsked(operation);
    const phase = this.#phase(found, ended);
    this.#drawn = { ...found, state, open, asked, phase };
    this.#bodyBuilt ||= open;
    const worked = workedFor(operation, state, view.now);
    this.stand(ended ? 0 : asked || (!STILL.has(state) && (worked ?? HOUR) < HOUR) ? 1 : 30, state, open);
    const known = percent(operation) !== undefined;
    const bare = ended && (!known || phase === 'never');
    const [path, tone, word] = look(state);
    return html`<div part="base" class="base ${open ? 'open' : ''}" @keydown=${this.#disclosure.key}>
      <div part="head" class="head">
        <button part="toggle" class="toggle" type="button" aria-expanded=${open} aria-controls="body" @click=${this.#disclosure.toggle}>
          <bdi part="title" class="title live" id="title"></bdi>
        </button>
        <bdi part="message" class="message live"></bdi>
        <span part="pill" class="pill ${tone}"
          ><svg viewBox="0 0 16 16" aria-hidden="true"><path d=${path}></path></svg
          ><span
            part="label"
            class="label"
            .textContent=${tr(operation.cancelRequested && state === operation.state && !ended ? 'cancelling' : word, language)}
          ></span></span
        >${this.#buttons(found, ended, asked)}<slot name="actions"></slot>
      </div>
      <div
        part="bar"
        class="bar ${tone} ${known ? '' : `${state} unknown`}"
        role=${bare ? nothing : 'progressbar'}
        aria-labelledby="title"
        ?hidden=${bare && phase !== 'held'}
      >
        <div part="fill" class="fill"></div>
      </div>
      <div part="meta" class="meta">
        <bdi part="percent" class="percent live"></bdi>
        <bdi part="amount" class="live"></bdi>
        <bdi part="elapsed" class="last live"></bdi>
      </div>
      ${details(found, open)}
      <div part="body" id="body" ?hidden=${!open}>${this.#bodyBuilt ? this.#nested(found) : nothing}<slot></slot></div>
    </div>`;
  }

  protected override updated(): void {
    if (!this.#drawn) return;
    this.#live.adopt(this.renderRoot as ShadowRoot);
    this.#fill(this.#drawn);
    this.#show(this.#drawn.phase, hasEnded(this.#drawn.operation));
  }

  /** Lets the bar be seen, now or soon. Everything that begins at the same time is shown at the same time, by one timer. */
  #show(phase: BarPhase, ended: boolean): void {
    this.#live.conceal(phase === 'soon');
    const { again } = this.#timing;
    if (again !== undefined) void beat(Math.ceil(again / 50) * 50).then(() => this.#later(ended));
  }

  #later(ended: boolean): void {
    const found = this.#drawn;
    if (!found || !this.isConnected || this.isUpdatePending) return;
    if (ended) this.requestUpdate('minVisible');
    else this.#show(this.#phase(found, ended), ended);
  }

  #phase({ operation, view }: ShownOperation, ended: boolean): BarPhase {
    const { showDelay = SHOW_DELAY, minVisible = MIN_VISIBLE } = this;
    const worked = elapsed(operation, view.now);
    return this.#timing.phase(attemptKey(operation), ended, worked, showDelay, minVisible, performance.now());
  }

  /** Nothing to show is not the same as nothing known yet. */
  #withoutOperation(): TemplateResult {
    const { feed, language } = this;
    const error = feed?.error && trProblem(feed.error, language);
    const state = feed && (feed.session?.loaded ? undefined : feed.error ? 'lost' : 'connecting');
    this.stand(0, state);
    return html`<div part="base" class="base" ?hidden=${!feed}>
      <div part="head" class="head">
        <span part="message" class="message">${feed && (error ?? tr(state ? 'Loading…' : 'There is no such operation.', language))}</span>
        ${state ? pill(state, language) : nothing}
      </div>
    </div>`;
  }

  /** What can be asked of it now. While an answer may still come the button stays, and says so, but asks no second time. */
  #buttons({ operation, language }: ShownOperation, ended: boolean, asked: boolean): unknown {
    const { actions } = this;
    const { cancellable, state } = operation;
    const button = (name: 'cancel' | 'retry' | 'dismiss', phrase: Phrase, offered: boolean | undefined): unknown =>
      actions?.includes(name) && offered
        ? html`<button part=${name} type="button" aria-disabled=${asked || nothing} @click=${this.#ask}>
            ${tr(phrase, language)}<span class="sr"> ${displayTitle(operation, language)}</span>
          </button>`
        : nothing;
    if (!actions) return nothing;
    if (!ended) return button('cancel', asked ? 'cancelling' : 'Cancel', cancellable);
    return [button('retry', 'Try again', state !== 'completed'), button('dismiss', 'Dismiss', true)];
  }

  #ask(event: Event): void {
    const operation = this.find()?.operation;
    if (!operation) return;
    const name = (event.currentTarget as Element).getAttribute('part');
    const cancel = name === 'cancel';
    if (cancel && this.#isAsked(operation)) return;
    const Request = cancel ? ProgressCancelRequestEvent : ProgressRetryRequestEvent;
    const request = name === 'dismiss' ? new ProgressDismissRequestEvent({ operation }) : new Request(operation);
    if (!this.dispatchEvent(request) || !cancel) return;
    this.#cancel.ask(Date.now());
    this.requestUpdate('actions');
  }

  /** Loaded when an amount is first seen to move; until then there is nothing to say. */
  #tempoOf(operation: Operation): Pick<Tempo, 'words'> {
    if (this.#tempo) return this.#tempo;
    if (operation.state === 'running' && (operation.current ?? operation.fraction) !== undefined) {
      if (makeTempo) return (this.#tempo = makeTempo());
      loadingTempo ??= import('./tempo.ts').then(
        ({ Tempo }) => void (makeTempo = () => new Tempo()),
        () => (loadingTempo = undefined),
      );
    }
    return UNTIMED;
  }

  #nested({ nested, view }: ShownOperation): Element | typeof nothing {
    return nested.length ? (this.#rows = rows(this, this.#rows, 'nested', nested, () => view.run, view.connection, this.actions)) : nothing;
  }
}

/** Before anything is known of the pace. */
const UNTIMED: Pick<Tempo, 'words'> = { words: () => [] };

const attemptKey = ({ run, id, attempt }: Operation): string => JSON.stringify([run, id, attempt]);

declare global {
  interface HTMLElementTagNameMap {
    'tool-progress': ToolProgress;
  }
}
