import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { amount, displayTitle, elapsed, formatPercent, percent } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { Disclosure, openAttribute } from '../display/disclosure.ts';
import { nextBeat } from '../display/frame.ts';
import { icon, iconStyles } from '../display/icon.ts';
import { OperationElement } from '../display/operation-element.ts';
import type { ShownOperation } from '../display/operation-element.ts';
import { pill, pillStyles } from '../display/pill.ts';
import { hasEnded, isMoving, shownState } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { durationText } from '../display/time.ts';
import { buttonStyles, surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { nestedUnder, operationTree } from '../display/tree.ts';
import type { OperationNode } from '../display/tree.ts';
import { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { bar, barStyles, Fill, isFinishing } from './bar.ts';
import { details } from './details.ts';
import { styles } from './tool-progress.styles.ts';

export type { ProgressCancelRequestEvent, ProgressRetryRequestEvent, ProgressToggleEvent };

/** From here on elapsed time is shown without seconds. */
const HOUR = 3_600_000;

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
 * @csspart message - What it does right now.
 * @csspart pill - The state.
 * @csspart label - The word in the pill.
 * @csspart bar - The track of the bar.
 * @csspart fill - The filled part of the bar.
 * @csspart meta - Percentage, amount and time.
 * @csspart percent - The percentage.
 * @csspart amount - The amount: "42 of 100 files".
 * @csspart elapsed - The time it has taken.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart body - The details.
 * @csspart nested - The list of operations under this one.
 * @csspart cancel - The button that asks to stop.
 * @csspart retry - The button that asks to run again.
 *
 * @cssprop --sitrep-font - Font shorthand of all text.
 * @cssprop --sitrep-radius - Corner radius.
 * @cssprop --sitrep-surface - Background.
 * @cssprop --sitrep-text - Text colour.
 * @cssprop --sitrep-muted - Colour of secondary text.
 * @cssprop --sitrep-border - Colour of lines.
 * @cssprop --sitrep-track - Colour of the unfilled bar.
 * @cssprop --sitrep-bar - Colour of the filled bar; by default the colour of the state.
 * @cssprop --sitrep-bar-size - Thickness of the bar.
 * @cssprop --sitrep-accent - Colour of what is going on.
 * @cssprop --sitrep-success - Colour of what succeeded.
 * @cssprop --sitrep-danger - Colour of what failed or was denied.
 * @cssprop --sitrep-attention - Colour of what needs a person.
 * @cssprop --sitrep-neutral - Colour of everything else.
 *
 * @cssstate running - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 * @cssstate open - The details are open.
 */
export class ToolProgress extends OperationElement {
  static override styles: CSSResultGroup = [tones, surfaces, iconStyles, buttonStyles, pillStyles, barStyles, styles];

  static override properties: PropertyDeclarations = {
    ...OperationElement.properties,
    nested: { attribute: false },
    open: openAttribute,
    actions: { type: String },
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

  readonly #disclosure = new Disclosure();
  readonly #fill = new Fill();
  #shown: Operation | undefined;
  #bodyBuilt = false;
  #outOfSight = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('contentvisibilityautostatechange', this.#onSight);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#outOfSight = false;
  }

  protected override get followsAll(): boolean {
    return this.#bodyBuilt;
  }

  /** Scrolled out of sight it renders about once a second: late by little, and nearly for free. */
  protected override turn(): Promise<void> {
    return this.#outOfSight ? nextBeat() : super.turn();
  }

  protected override render(): TemplateResult {
    const found = this.find();
    this.#shown = found?.operation;
    if (!found) return this.#withoutOperation();
    const { operation, view } = found;
    const state = shownState(operation, view);
    const open = this.#disclosure.isOpen(this.open, hasEnded(operation));
    this.#bodyBuilt ||= open;
    this.clock.pace = hasEnded(operation) ? 0 : (elapsed(operation, view.now) ?? HOUR) < HOUR ? 1 : 30;
    this.showStates(state, isMoving(state) && 'moving', open && 'open');
    return html`<div part="base" class="base ${open ? 'open' : ''}">
      <div part="head" class="head">
        <button
          part="toggle"
          class="toggle"
          type="button"
          aria-expanded=${open ? 'true' : 'false'}
          aria-controls="body"
          @click=${this.#toggle}
        >
          ${icon('chevron')}<span part="title" class="title" id="title"><bdi>${displayTitle(operation)}</bdi></span>
        </button>
        ${operation.message ? html`<span part="message" class="message"><bdi>${operation.message}</bdi></span>` : nothing}
        <span class="end">${pill(state, { word: pillWord(operation, state) })}${this.#buttons(operation)}<slot name="actions"></slot></span>
      </div>
      ${bar(operation, state, 'title')} ${meta(found, state)} ${details(found, open)}
      <div part="body" class="body" id="body" ?hidden=${!open}>${this.#bodyBuilt ? this.#nested(operation) : nothing}<slot></slot></div>
    </div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    this.#fill.show(this.renderRoot as ShadowRoot, this.#shown);
  }

  /** Nothing to show is not the same as nothing known yet. */
  #withoutOperation(): TemplateResult {
    this.clock.pace = 0;
    const { feed } = this;
    const state: ShownState | undefined = feed && (feed.session?.loaded ? undefined : feed.error ? 'lost' : 'connecting');
    this.showStates(state);
    if (!feed) return html`<div part="base" class="base" hidden></div>`;
    return html`<div part="base" class="base">
      <div part="head" class="head">
        <span part="message" class="message">${feed.error ?? (state ? 'Loading…' : 'There is no such operation.')}</span>
        <span class="end">${state ? pill(state) : nothing}</span>
      </div>
    </div>`;
  }

  #buttons(operation: Operation): TemplateResult | typeof nothing {
    const actions = this.actions?.split(/\s+/) ?? [];
    const name = html`<span class="sr"> ${displayTitle(operation)}</span>`;
    if (!hasEnded(operation)) {
      if (!operation.cancellable || !actions.includes('cancel')) return nothing;
      return html`<button part="cancel" type="button" ?disabled=${operation.cancelRequested === true} @click=${this.#cancel}>
        Cancel${name}
      </button>`;
    }
    if (operation.state === 'completed' || !actions.includes('retry')) return nothing;
    return html`<button part="retry" type="button" @click=${this.#retry}>Try again${name}</button>`;
  }

  #nested(operation: Operation): TemplateResult | typeof nothing {
    const session = this.feed?.session;
    const connection = this.connection ?? session?.connection;
    const nested = this.nested ?? (session ? nestedUnder(operationTree(session.operations), operation) : []);
    if (nested.length === 0) return nothing;
    return html`<ul part="nested" class="nested" role="list">
      ${nested.map(
        (node) =>
          html`<li>
            <tool-progress
              .operation=${node.operation}
              .nested=${node.nested}
              .run=${this.run}
              .connection=${connection}
              actions=${this.actions ?? nothing}
            ></tool-progress>
          </li>`,
      )}
    </ul>`;
  }

  readonly #onSight = (event: Event & { readonly skipped?: boolean }): void => {
    if (event.target === this) this.#outOfSight = event.skipped === true;
  };

  readonly #toggle = (): void => {
    const open = !this.#disclosure.isOpen(this.open, this.#shown !== undefined && hasEnded(this.#shown));
    this.#disclosure.decide(open);
    this.requestUpdate();
    this.dispatchEvent(new ProgressToggleEvent(open));
  };

  readonly #cancel = (): void => {
    if (this.#shown) this.dispatchEvent(new ProgressCancelRequestEvent(this.#shown));
  };

  readonly #retry = (): void => {
    if (this.#shown) this.dispatchEvent(new ProgressRetryRequestEvent(this.#shown));
  };
}

/** A longer word where the state's own would leave something out. */
function pillWord(operation: Operation, state: ShownState): string | undefined {
  return operation.cancelRequested && !hasEnded(operation) && state === operation.state ? 'cancelling' : undefined;
}

/** Percentage, amount and time on one line. */
function meta({ operation, view }: ShownOperation, state: ShownState): TemplateResult | typeof nothing {
  const now = percent(operation);
  const text = amount(operation);
  const took = operation.startedAt === undefined ? undefined : elapsed(operation, view.now);
  const silent = state === 'quiet' ? durationText(view.now - operation.updatedAt) : undefined;
  if (now === undefined && text === undefined && took === undefined && silent === undefined) return nothing;
  return html`<div part="meta" class="meta">
    ${now === undefined ? nothing : html`<bdi part="percent" class="percent">${formatPercent(now)}</bdi>`}
    ${text === undefined ? nothing : html`<bdi part="amount">${text}</bdi>`}
    ${isFinishing(operation) ? html`<bdi>finishing</bdi>` : nothing}
    ${silent === undefined ? nothing : html`<bdi>no news for ${silent}</bdi>`}
    ${took === undefined ? nothing : html`<span part="elapsed" class="last"><bdi>${durationText(took)}</bdi></span>`}
  </div>`;
}

declare global {
  interface HTMLElementTagNameMap {
    'tool-progress': ToolProgress;
  }
}
