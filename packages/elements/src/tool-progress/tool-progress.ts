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
import { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { details } from './details.ts';
import { differInValues, Live } from './live.ts';
import { styles } from './tool-progress.styles.ts';

export type { ProgressCancelRequestEvent, ProgressRetryRequestEvent, ProgressToggleEvent };

/** From here on elapsed time is shown without seconds. */
const HOUR = 3_600_000;
/** Values on the page move this often, all at once, milliseconds; a change of state is drawn with the next frame. */
const QUANTUM = 100;
/** The same for what is scrolled out of sight. */
const OUT_OF_SIGHT = 1000;

/**
 * One operation: what is done, how far it is, what it waits for, and what came of it.
 *
 * While it goes on its details stay closed; what has ended opens by itself; once the reader has opened or closed it,
 * that holds for as long as the element lives.
 *
 * @tag tool-progress
 * @summary Shows one operation with its bar, state and details.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opened or closed the details.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop the operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run the operation again.
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
 * @csspart amount - The amount: "42 of 100 files"; also that it is finishing, or how long nobody has been heard.
 * @csspart elapsed - The time it has taken.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart body - The details.
 * @csspart nested - The list of operations under this one.
 * @csspart operation - One of them.
 * @csspart cancel - The button that asks to stop.
 * @csspart retry - The button that asks to run again.
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
   * The buttons to offer, divided by spaces: `cancel` where the operation can be stopped, `retry` where it did not succeed.
   * @attr
   */
  declare actions: string | undefined;

  readonly #disclosure = new Disclosure(this);
  readonly #live = new Live();
  #rows: Rows | undefined;
  #drawn: (ShownOperation & { readonly state: ShownState; readonly open: boolean }) | undefined;
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
    if ((drawn.open && drawn.nested.length + found.nested.length > 0) || !differInValues(drawn.operation, found.operation)) return false;
    this.#moving ??= this.#writeSoon();
    return true;
  }

  async #writeSoon(): Promise<void> {
    await beat(this.#outOfSight ? OUT_OF_SIGHT : QUANTUM);
    this.#moving = undefined;
    const found = this.#find();
    if (found && this.#drawn && !this.isUpdatePending) this.#live.write(found, this.#drawn.state, this.#drawn.open);
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
    const open = this.#disclosure.isOpen(ended);
    this.#drawn = { ...found, state, open };
    this.#bodyBuilt ||= open;
    this.stand(ended ? 0 : (elapsed(operation, view.now) ?? HOUR) < HOUR ? 1 : 30, state, open);
    const known = percent(operation) !== undefined;
    const bare = !known && ended;
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
        >${this.#button(found, ended)}<slot name="actions"></slot>
      </div>
      <div
        part="bar"
        class="bar ${tone} ${known ? '' : `${state} unknown`}"
        role=${bare ? nothing : 'progressbar'}
        aria-labelledby="title"
        ?hidden=${bare}
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
    this.#live.write(this.#drawn, this.#drawn.state, this.#drawn.open);
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

  #button({ operation, language }: ShownOperation, ended: boolean): TemplateResult | typeof nothing {
    const { cancellable, cancelRequested, state } = operation;
    const name = ended ? 'retry' : 'cancel';
    if (!this.actions?.includes(name) || (ended ? state === 'completed' : !cancellable)) return nothing;
    return html`<button part=${name} type="button" ?disabled=${!ended && cancelRequested} @click=${this.#ask}>
      ${tr(ended ? 'Try again' : 'Cancel', language)}<span class="sr"> ${displayTitle(operation, language)}</span>
    </button>`;
  }

  readonly #ask = (): void => {
    const operation = this.find()?.operation;
    if (operation) this.dispatchEvent(new (hasEnded(operation) ? ProgressRetryRequestEvent : ProgressCancelRequestEvent)(operation));
  };

  #nested({ nested, view }: ShownOperation): Element | typeof nothing {
    return nested.length ? (this.#rows = rows(this.#rows, 'nested', nested, () => view.run, view.connection, this.actions)) : nothing;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-progress': ToolProgress;
  }
}
