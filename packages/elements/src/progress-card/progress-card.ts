import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import { planCounts, relativeTime } from '@sitrep/schema/select';
import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Announcer } from '../display/announcer.ts';
import { Disclosure, openAttribute } from '../display/disclosure.ts';
import type { FeedState } from '../display/feed.ts';
import { part } from '../display/part.ts';
import type { Part } from '../display/part.ts';
import { pill, pillStyles, turns, turnStyles } from '../display/pill.ts';
import { ProgressElement, property } from '../display/progress-element.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tones } from '../display/tones.styles.ts';
import { tr } from '../display/tr.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { differInValues } from '../tool-progress/live.ts';
import { valuesTurn } from '../tool-progress/quantum.ts';
import type { Body } from './body.ts';
import { cardModel } from './card-model.ts';
import type { CardModel } from './card-model.ts';
import type { NoteImages } from '../markdown/pictures.ts';
import { meter, step } from './plan.ts';
import { styles } from './progress-card.styles.ts';
import type { Versions } from './versions.ts';

export type { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
export type { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';
export type { ProgressRetryRequestEvent, ProgressToggleEvent };

/** What is behind the toggle. */
const bodies = part(() => import('./body.ts'), true);
/** What is asked for by the page, and seldom. */
const placing = part(() => import('./placement.ts'));
const dismissal = part(() => import('./dismissal.ts'));
const history = part(() => import('./versions.ts'));
/** What few sessions tell. */
const using = part(() => import('./usage.ts'));

type CardBody = NonNullable<CardRecord['card']>;
type Heard = readonly [operations: readonly Operation[], runs: readonly Run[]];

/**
 * What a session says about itself, in one place: its plan, its note, and the operations going on in it.
 *
 * While the session works the card stays closed and shows its current step; when it has ended it opens by itself; once
 * the reader has opened or closed it, that holds for as long as the element lives. It also speaks,
 * by the one voice of the page: what started, needs somebody, failed or finished, each once, and never a time.
 *
 * @tag progress-card
 * @summary Shows the plan, the note and the operations of a session.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opens or closes the card or an operation in it; cancelable.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop an operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run an operation again, or to load the session again.
 * @fires {ProgressDismissRequestEvent} progress-dismiss-request - The reader asks to put the card away. Offered with `actions="dismiss"` where
 *   nothing is active; the page clears it, guarded by the event's `revision`.
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
 * @csspart position - "2/3", which step that is; beside the composer only.
 * @csspart body - Everything shown while open.
 * @csspart plan - The list of steps.
 * @csspart step - One step. Also has the part of its state: `pending`, `current`, `paused`, `completed`, `failed`, `cancelled`.
 * @csspart promoted - The first bar of the note, above it; on a hover card only.
 * @csspart note - The note.
 * @csspart operations - The list of operations.
 * @csspart operation - One operation.
 * @csspart problem - Why the session could not be loaded.
 * @csspart retry - The button that loads it again.
 * @csspart dismiss - The button that asks to put the card away.
 * @csspart earlier - The button that lists earlier versions of the card.
 * @csspart history - The list of versions.
 * @csspart version - One of them.
 *
 * @cssstate working - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 * @cssstate open - The card is open.
 * @cssstate no-access - The server says that the reader may not read the session: the card takes no place then, and nothing
 *   of the session is left in it.
 */
export class ProgressCard extends ProgressElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, turnStyles, styles];

  static override properties: PropertyDeclarations = {
    ...ProgressElement.properties,
    card: property,
    operations: property,
    runs: property,
    usage: property,
    heading: {},
    noteImages: property,
    open: openAttribute,
    placement: {},
    actions: {},
    milestones: { type: Boolean },
    showOperations: { attribute: 'show-operations' },
    history: property,
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
   * The pictures that the note may load: the hosts they may come from, such as `['img.example.org']`, or a function that is
   * given each address and answers `true` for those that may. Only https counts. By default none is loaded, because the
   * address of a picture can carry what the writer knows to whoever serves it; its words are shown in its place.
   */
  declare noteImages: NoteImages | null | undefined;

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
   * Where the card stands. `composer` is beside the place where the reader writes: closed it is one line with the current step
   * and its number, and it never opens by itself. `peek` is over the page for a moment: always open, with nothing to close,
   * the first bar of the note above it. Anything else, and absent, is a place of its own.
   * @attr
   */
  declare placement: 'composer' | 'peek' | undefined;

  /**
   * The buttons to offer, divided by spaces: at each operation `cancel` and `retry`; at the card `dismiss`, where nothing is active, and
   * `history`, which lists earlier versions of it.
   * @attr
   */
  declare actions: string | undefined;

  /**
   * Which operations are drawn: `none`, `live` (those that go on, under their parents), or `all`, which is the default.
   * @attr show-operations
   */
  declare showOperations: 'none' | 'live' | 'all' | undefined;

  /** Earlier versions of the card, in any order, to list beside those the session still knows. */
  declare history: readonly CardRecord[] | null | undefined;

  /**
   * Also says when an operation is a quarter, half and three quarters done, at most every ten seconds.
   * @attr
   */
  declare milestones: boolean;

  readonly #disclosure = new Disclosure(this);
  #announcer: Promise<Announcer> | undefined;
  #heard: Heard | undefined;
  #session: string | undefined;
  #body: Body | undefined;
  /** The operations that were drawn last, and whether more than values has changed since. */
  #drawn: readonly Operation[] | null | undefined;
  #urgent = true;
  #hurry: (() => void) | undefined;
  #versions: Versions | undefined;

  #outOfSight = false;

  constructor() {
    super();
    this.milestones = false;
    this.addEventListener('contentvisibilityautostatechange', (event: Event & { readonly skipped?: boolean }) => {
      if (event.target !== this) return;
      this.#outOfSight = !!event.skipped;
      turns(this, !this.#outOfSight);
      if (!this.#outOfSight) this.#hurry?.();
    });
  }

  override requestUpdate(name?: PropertyKey, ...rest: [unknown?]): void {
    if (this.hasUpdated && !this.#urgent && !(name === 'operations' && this.#differInValues())) {
      this.#urgent = true;
      if (!this.#outOfSight) this.#hurry?.();
    }
    super.requestUpdate(name, ...rest);
  }

  /**
   * Values given by property are drawn as often as those of a row; everything else with the next frame, also while they wait. Scrolled out
   * of sight it is drawn about once a second: late by little, and nearly for free.
   */
  protected override turn(): Promise<void> {
    if (this.#urgent && !this.#outOfSight) return super.turn();
    return new Promise((resolve) => {
      this.#hurry = () => void super.turn().then(resolve);
      void valuesTurn(this.#outOfSight).then(resolve);
    });
  }

  #differInValues(): boolean {
    const [before, now] = [this.#drawn, this.operations];
    return !!before && before.length === now?.length && before.every((operation, index) => differInValues(operation, now[index]!));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#outOfSight = false;
    turns(this, false);
    queueMicrotask(() => {
      if (!this.isConnected) this.#forget();
    });
  }

  /** @internal */
  heard({ session }: FeedState): void {
    if (!session?.loaded || this.operations) return;
    if (session.session !== this.#session) this.#forget();
    this.#session = session.session;
    this.#hear([session.operations, session.runs]);
  }

  /**
   * Opens or closes it, whatever the reader chose before; with undefined the state decides again.
   * @internal
   */
  disclose(open: boolean | undefined): void {
    this.open = open;
    this.#disclosure.choose();
  }

  /** What is there at first is no news, so the code that speaks is loaded with the first change. */
  #hear(now: Heard): void {
    const before = this.#heard;
    this.#heard = now;
    if (!before || now.every((list, index) => list === before[index])) return;
    this.#announcer ??= import('../display/announcer.ts').then(({ Announcer }) => {
      const announcer = new Announcer(this);
      announcer.take(...before);
      return announcer;
    });
    this.#announcer.then(
      (announcer) => announcer.take(...now),
      () => (this.#announcer = undefined),
    );
  }

  /** Another session is shown, or none. */
  #forget(): void {
    void this.#announcer?.then((announcer) => announcer.reset());
    this.#announcer = this.#heard = this.#versions = undefined;
  }

  protected override get isBare(): boolean {
    return !(this.card ?? this.operations ?? this.feed);
  }

  protected override needs(): readonly (Part<unknown> | false | undefined)[] {
    const { here } = bodies;
    return [
      !here && (this.placement === 'peek' || this.#body || this.#opens(this.#model())) && bodies,
      !!this.placement && placing,
      this.#offers('dismiss') && dismissal,
      this.#offers('history') && history,
      !!this.#used() && using,
    ];
  }

  #model(): CardModel {
    return cardModel({
      now: Date.now(),
      language: this.language,
      feed: this.feed,
      told: !!this.link?.told,
      card: this.record('card', this.card),
      operations: this.record('operations', this.operations),
      runs: this.record('runs', this.runs),
    });
  }

  /** Whether it is open now: never with nothing to open, nor by itself beside the composer. */
  #opens({ content, settled }: CardModel): boolean {
    const session = this.feed?.session?.session || undefined;
    const by = this.placement;
    return content && (by === 'peek' || this.#disclosure.isOpen(by !== 'composer' && settled, session));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.feed?.denied && !this.card && !this.operations) {
      this.stand(0, undefined, false, 'no-access');
      return nothing;
    }
    const model = this.#model();
    const { card, state, content, steps } = model;
    const { placement, language } = this;
    const peek = placement === 'peek';
    const composer = placement === 'composer';
    const open = this.#opens(model);
    if (open) this.#body ??= bodies.here && new bodies.here.Body(this);
    if (this.#offers('history')) this.#remember(card);
    this.stand(model.updatedAt ? 30 : 0, state, open);
    const name = this.heading || this.feed?.session?.title || tr('Progress', language);
    const line = composer && content && !open && placing.here;
    const title = line ? line.lineTitle(model, name, language) : html`<bdi part="title" class="title" id="title">${name}</bdi>`;
    return html`<div
      part="base"
      class="base ${open ? 'open' : ''} ${placement ?? ''} ${line ? 'line' : ''}"
      role="group"
      aria-label=${line ? name : nothing}
      aria-labelledby=${line ? nothing : 'title'}
      @keydown=${peek ? nothing : (event: KeyboardEvent) => this.#disclosure.key(event)}
    >
      <div part="head" class="head">
        ${
          content && !peek
            ? html`<button
                part="toggle"
                class="toggle"
                type="button"
                aria-expanded=${open}
                aria-controls="body"
                @click=${() => this.#disclosure.toggle()}
              >
                ${title}
              </button>`
            : title
        }
        ${
          state
            ? pill(
                state,
                language,
                model.problem && !content ? 'not loaded' : undefined,
                undefined,
                line && line.isCalm(model) ? 'compact' : '',
              )
            : nothing
        }${(model.dismissible && this.#offers('dismiss') && dismissal.here?.dismissButton(this, card, name)) || nothing}<slot
          name="actions"
        ></slot>
      </div>
      ${line ? nothing : this.#meta(model)}${steps.length ? meter(steps) : nothing}${this.#problem(model)}${
        open || line ? nothing : this.#current(model)
      }
      <div
        part="body"
        class="body"
        id="body"
        role=${composer ? 'group' : nothing}
        aria-labelledby=${composer ? 'title' : nothing}
        ?hidden=${!open}
      >
        ${this.#body?.render(model, name, this.#offers('history') ? this.#versions : undefined, this.#known()) ?? nothing}<slot></slot>
      </div>
    </div>`;
  }

  protected override updated(): void {
    const { operations, runs } = this;
    this.#urgent = false;
    this.#hurry = undefined;
    this.#drawn = operations;
    if (operations) this.#hear([operations, runs ?? []]);
    turns(this, !this.#outOfSight);
    const root = this.renderRoot as ShadowRoot;
    if (this.placement) placing.here?.settle(root, this.placement);
    this.#body?.settle(root);
    this.#versions?.settle(root);
  }

  #meta({ card, updatedAt, view }: CardModel): TemplateResult | typeof nothing {
    const usage = using.here?.usageLabel(this.#used(), this.language);
    const { completed, total } = planCounts(card.card?.plan);
    const ago = relativeTime(updatedAt, view.now, this.language);
    if (!total && !ago && !usage) return nothing;
    return html`<div part="meta" class="meta">
      ${total ? html`<bdi part="counts">${tr('{n} of {total} completed', this.language, { n: completed, total })}</bdi>` : nothing}
      ${ago ? html`<bdi part="updated"><time datetime=${new Date(updatedAt!).toISOString()}>${tr('updated {ago}', this.language, { ago })}</time></bdi>` : nothing}
      ${usage ? html`<bdi part="usage" class="last">${usage}</bdi>` : nothing}
    </div>`;
  }

  #problem({ problem, content, state }: CardModel): TemplateResult | typeof nothing {
    if (problem) {
      return html`<div part="problem" class="problem">
        <bdi>${problem}${content ? ` ${tr('What was known is still shown.', this.language)}` : ''}</bdi>
        <button part="retry" type="button" @click=${this.#retry}>${tr('Try again', this.language)}</button>
      </div>`;
    }
    if (content) return nothing;
    return state
      ? html`<div class="loading"><span class="sr">${tr('Loading…', this.language)}</span></div>`
      : html`<p class="empty">${tr('Nothing has been reported yet.', this.language)}</p>`;
  }

  /** The one line that says what is going on while the card is closed: what needs a person goes before the step. */
  #current({ current, headline, state }: CardModel): TemplateResult | typeof nothing {
    const asks = state === 'needs-you' && headline;
    if (!current && !headline) return nothing;
    return html`<div part="current" class="now ${asks ? 'attention' : current ? `step ${current.display}` : 'text'}">
      ${current && !asks ? step(current) : html`<bdi>${headline}</bdi>`}
    </div>`;
  }

  #used(): Usage | undefined {
    return this.record('usage', this.usage) ?? this.feed?.session?.usage;
  }

  #offers(action: string): boolean {
    return !!this.actions?.includes(action);
  }

  /** Earlier versions are for the reader who asks; those that were shown are remembered where the page offers it. */
  #remember(card: CardRecord): void {
    this.#versions ??= history.here && new history.here.Versions(() => this.requestUpdate());
    this.#versions?.remember(card);
  }

  /** The versions that others remember. */
  #known(): readonly CardRecord[] {
    const session = this.card || !this.#versions ? undefined : this.link?.revisions?.();
    return [...(this.record('history', this.history) ?? []), ...(session ?? [])];
  }

  readonly #retry = (): void => {
    if (this.dispatchEvent(new ProgressRetryRequestEvent())) this.reload();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'progress-card': ProgressCard;
  }
}
