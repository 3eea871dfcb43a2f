import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { cardLiveness, currentStep, planCounts, stepDisplay } from '@sitrep/schema/select';
import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import { Announcer } from '../display/announcer.ts';
import { Disclosure, openAttribute } from '../display/disclosure.ts';
import type { FeedState } from '../display/feed.ts';
import { icon, iconStyles, turnStyles } from '../display/icon.ts';
import { findRun } from '../display/lookup.ts';
import { pill, pillStyles } from '../display/pill.ts';
import { ProgressElement } from '../display/progress-element.ts';
import { isMoving } from '../display/shown-state.ts';
import { isoTime, relativeTime } from '../display/time.ts';
import { buttonStyles, surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { operationTree } from '../display/tree.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { cardModel } from './card-model.ts';
import type { CardModel } from './card-model.ts';
import { Note } from './note.ts';
import { plan, planStyles, step } from './plan.ts';
import { styles } from './progress-card.styles.ts';

export type { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
export type { ProgressRetryRequestEvent, ProgressToggleEvent };

/** Operations drawn before the reader asks for all of them. */
const SHOWN_AT_FIRST = 30;

type CardBody = NonNullable<CardRecord['card']>;

/**
 * What a session says about itself, in one place: its plan, its note, and the operations going on in it.
 *
 * While the session works the card stays closed and shows its current step; when it has ended it opens by itself; once
 * the reader has opened or closed it, that holds for as long as the element lives. The card has the one polite live
 * region of the set: it says what started, needs somebody, failed or finished, each once, and never a value or a time.
 *
 * @tag progress-card
 * @summary Shows the plan, the note and the operations of a session.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opened or closed the card or an operation in it.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop an operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run an operation again, or to load the session again.
 *
 * @slot - Further content below the operations, shown while open.
 * @slot actions - Further buttons beside the pill.
 *
 * @csspart base - Everything inside the element.
 * @csspart head - Title, pill and buttons.
 * @csspart toggle - The button that opens and closes the card; it holds the title.
 * @csspart title - The title.
 * @csspart pill - Where the session stands.
 * @csspart label - The word in the pill.
 * @csspart meta - Counts, time of the last change and usage.
 * @csspart counts - "1 of 3 completed".
 * @csspart updated - "updated 2 min ago".
 * @csspart usage - What the session has used.
 * @csspart meter - The bar of completed steps.
 * @csspart current - The current step, shown while closed.
 * @csspart body - Everything shown while open.
 * @csspart plan - The list of steps.
 * @csspart step - One step. Also has the part of its state: `pending`, `current`, `paused`, `completed`, `failed`, `cancelled`.
 * @csspart note - The note.
 * @csspart operations - The list of operations.
 * @csspart operation - One operation.
 * @csspart problem - Why the session could not be loaded.
 * @csspart retry - The button that loads it again.
 * @csspart status - The live region; not seen.
 *
 * @cssprop --sitrep-font - Font shorthand of all text.
 * @cssprop --sitrep-radius - Corner radius.
 * @cssprop --sitrep-surface - Background.
 * @cssprop --sitrep-text - Text colour.
 * @cssprop --sitrep-muted - Colour of secondary text.
 * @cssprop --sitrep-border - Colour of lines.
 * @cssprop --sitrep-track - Colour of the unfilled bar.
 * @cssprop --sitrep-bar - Colour of the filled bar; by default the colour of the state.
 * @cssprop --sitrep-bar-size - Thickness of a bar.
 * @cssprop --sitrep-accent - Colour of what is going on.
 * @cssprop --sitrep-success - Colour of what succeeded.
 * @cssprop --sitrep-danger - Colour of what failed or was denied.
 * @cssprop --sitrep-attention - Colour of what needs a person.
 * @cssprop --sitrep-neutral - Colour of everything else.
 *
 * @cssstate working - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 * @cssstate open - The card is open.
 */
export class ProgressCard extends ProgressElement {
  static override styles: CSSResultGroup = [tones, surfaces, iconStyles, turnStyles, buttonStyles, pillStyles, planStyles, styles];

  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    card: { attribute: false },
    operations: { attribute: false },
    runs: { attribute: false },
    usage: { attribute: false },
    heading: { type: String },
    open: openAttribute,
    actions: { type: String },
  };

  /** The card to show: its record, or only its body. Takes precedence over the session's. */
  declare card: CardRecord | CardBody | null | undefined;
  /** The operations to show. Take precedence over the session's. */
  declare operations: readonly Operation[] | null | undefined;
  /** The runs that say whether the card can still be alive. Take precedence over the session's. */
  declare runs: readonly Run[] | null | undefined;
  /** What the session has used. Takes precedence over the session's. */
  declare usage: Usage | null | undefined;

  /**
   * Title of the card. By default the title of the session.
   * @attr
   */
  declare heading: string | undefined;

  /**
   * Opens the card, or keeps it closed with `open="false"`. Absent, it opens when the session has ended. The reader's own
   * choice goes before this.
   * @attr
   */
  declare open: boolean | undefined;

  /**
   * The buttons to offer at each operation, divided by spaces: `cancel`, `retry`.
   * @attr
   */
  declare actions: string | undefined;

  readonly #disclosure = new Disclosure();
  readonly #note: Note;
  readonly #announcer = new Announcer();
  #model: CardModel | undefined;
  #heard: string | undefined;
  #bodyBuilt = false;
  #all = false;

  constructor() {
    super();
    this.#note = new Note(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    queueMicrotask(() => {
      if (!this.isConnected) this.#announcer.reset();
    });
  }

  override feedChanged({ session }: FeedState): boolean {
    if (!session?.loaded || this.operations) return true;
    if (session.session !== this.#heard) this.#announcer.reset();
    this.#heard = session.session;
    this.#announcer.take(session.operations, session.runs, this.#region);
    return true;
  }

  protected override render(): TemplateResult {
    const model = cardModel({
      now: Date.now(),
      feed: this.feed,
      card: this.record('card', this.card),
      operations: this.record('operations', this.operations),
      runs: this.record('runs', this.runs),
      usage: this.record('usage', this.usage),
    });
    this.#model = model;
    const open = model.content && this.#disclosure.isOpen(this.open, model.settled);
    this.#bodyBuilt ||= open;
    this.clock.pace = model.updatedAt === undefined ? 0 : 30;
    this.showStates(model.state, model.state && isMoving(model.state) && 'moving', open && 'open');
    if (this.operations && this.hasUpdated) this.#announcer.take(this.operations, this.runs ?? [], this.#region);
    return html`<div part="base" class="base ${open ? 'open' : ''}" role="group" aria-labelledby="title">
      <div part="head" class="head">
        ${this.#title(model, open)}
        <span class="end"
          >${model.state ? pill(model.state, { word: model.problem && !model.content ? 'not loaded' : undefined }) : nothing}<slot
            name="actions"
          ></slot
        ></span>
      </div>
      ${this.#meta(model)} ${this.#meter(model)} ${this.#problem(model)} ${open ? nothing : this.#current(model)}
      <div part="body" class="body" id="body" ?hidden=${!open}>${this.#bodyBuilt ? this.#body(model) : nothing}<slot></slot></div>
      <div part="status" class="sr" role="status"></div>
    </div>`;
  }

  protected override firstUpdated(): void {
    if (this.operations) this.#announcer.take(this.operations, this.runs ?? [], this.#region);
  }

  readonly #region = (): Element | null => this.renderRoot?.querySelector('[role=status]') ?? null;

  #name(model: CardModel): string {
    return this.heading || model.title || 'Progress';
  }

  #title(model: CardModel, open: boolean): TemplateResult {
    const title = html`<span part="title" class="title" id="title"><bdi>${this.#name(model)}</bdi></span>`;
    if (!model.content) return title;
    return html`<button
      part="toggle"
      class="toggle"
      type="button"
      aria-expanded=${open ? 'true' : 'false'}
      aria-controls="body"
      @click=${this.#toggle}
    >
      ${icon('chevron')}${title}
    </button>`;
  }

  #meta({ card, updatedAt, now, usage }: CardModel): TemplateResult | typeof nothing {
    const steps = card.card?.plan;
    const counts = steps?.length ? planCounts(steps) : undefined;
    const ago = relativeTime(updatedAt, now);
    if (!counts && !ago && !usage) return nothing;
    return html`<div part="meta" class="meta">
      ${counts ? html`<bdi part="counts">${counts.completed} of ${counts.total} completed</bdi>` : nothing}
      ${ago ? html`<bdi part="updated">updated <time datetime=${isoTime(updatedAt) ?? nothing}>${ago}</time></bdi>` : nothing}
      ${usage ? html`<span part="usage" class="last"><bdi>${usage}</bdi></span>` : nothing}
    </div>`;
  }

  #meter({ card, view }: CardModel): TemplateResult | typeof nothing {
    const steps = card.card?.plan;
    if (!steps?.length) return nothing;
    return html`<div part="meter" class="meter" aria-hidden="true">
      ${steps.map((one) => html`<span class=${stepDisplay(one, card, view)}></span>`)}
    </div>`;
  }

  #problem({ problem, content, loading }: CardModel): TemplateResult | typeof nothing {
    if (problem) {
      return html`<div part="problem" class="problem">
        <span>${problem}${content ? ' What was known before is still shown.' : ''}</span>
        <button part="retry" type="button" @click=${this.#retry}>Try again</button>
      </div>`;
    }
    if (content) return nothing;
    return loading
      ? html`<div class="loading"><span class="sr">Loading…</span><i></i><i></i></div>`
      : html`<p class="empty">Nothing has been reported yet.</p>`;
  }

  /** The one line that says what is going on while the card is closed. */
  #current({ card, view, headline }: CardModel): TemplateResult | typeof nothing {
    const steps = card.card?.plan;
    const one = steps && currentStep(steps);
    if (one) {
      const display = stepDisplay(one, card, view);
      return html`<div part="current" class="step now ${display}">${step(one.step, display, cardLiveness(card, view) === 'moving')}</div>`;
    }
    return headline ? html`<div part="current" class="now text"><bdi>${headline}</bdi></div>` : nothing;
  }

  #body(model: CardModel): TemplateResult {
    const { card, view } = model;
    const steps = card.card?.plan;
    return html`${steps?.length ? plan(steps, card, view) : nothing} ${this.#noteOf(model)} ${this.#operationList(model)}`;
  }

  #noteOf(model: CardModel): TemplateResult | typeof nothing {
    const markdown = model.card.card?.markdown;
    if (!markdown?.trim()) return nothing;
    const note = this.#note.show(markdown, this.#name(model));
    note?.adopt(this.renderRoot as ShadowRoot);
    return html`<div part="note" class="note" dir="auto">
      ${note ? note.content : html`<p class="plain">${markdown}</p>`}${note?.mark ? html`<p class="mark">${note.mark}</p>` : nothing}
    </div>`;
  }

  #operationList({ operations, runs, view }: CardModel): TemplateResult | typeof nothing {
    if (operations.length === 0) return nothing;
    const tree = operationTree(operations);
    const hidden = this.#all ? 0 : Math.max(0, tree.length - SHOWN_AT_FIRST);
    return html`<ul part="operations" class="operations" role="list">
        ${tree.slice(hidden).map(
          ({ operation, nested }) =>
            html`<li part="operation">
              <tool-progress
                .operation=${operation}
                .nested=${nested}
                .run=${findRun(runs, operation.run)}
                .connection=${view.connection}
                actions=${this.actions ?? nothing}
              ></tool-progress>
            </li>`,
        )}
      </ul>
      ${hidden > 0 ? html`<button type="button" @click=${this.#showAll}>Show ${hidden} earlier</button>` : nothing}`;
  }

  readonly #showAll = (): void => {
    this.#all = true;
    this.requestUpdate();
  };

  readonly #toggle = (): void => {
    const open = !this.#disclosure.isOpen(this.open, this.#model?.settled ?? false);
    this.#disclosure.decide(open);
    this.requestUpdate();
    this.dispatchEvent(new ProgressToggleEvent(open));
  };

  readonly #retry = (): void => {
    if (this.dispatchEvent(new ProgressRetryRequestEvent())) this.reload();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-card': ProgressCard;
  }
}
