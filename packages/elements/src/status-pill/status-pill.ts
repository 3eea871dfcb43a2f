import { html, nothing } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, TemplateResult } from 'lit';
import type { Operation } from '@sitrep/schema';
import { OperationElement } from '../display/operation-element.ts';
import { part } from '../display/part.ts';
import type { Part } from '../display/part.ts';
import { pill, pillStyles, turns, turnStyles } from '../display/pill.ts';
import type { FeedState } from '../display/feed.ts';
import type { Sum } from '../display/session-link.ts';
import { hasEnded, shownState } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { tones } from '../display/tones.styles.ts';
import { styles } from './status-pill.styles.ts';

/** A whole session in one word. */
const summing = part(() => import('../session/session-sum.ts'));
/** What is being done, and how far it is. */
const saying = part(() => import('./saying.ts'));

/**
 * A word, a drawing and a colour for where something stands: one operation, or a whole session at a glance.
 *
 * It takes a record by property, a bare word by attribute (`state="running"`), a session by `src`, or the session of
 * the `<progress-provider>` around it. Without an operation it says where its `run` stands, and without that it sums up the session.
 *
 * @tag status-pill
 * @summary Says in one word where an operation or a session stands.
 *
 * @csspart base - Everything inside the element.
 * @csspart pill - The tinted pill.
 * @csspart label - The word.
 * @csspart summary - What is being done, with `summary`.
 *
 * @cssstate running - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 */
export class StatusPill extends OperationElement {
  static override styles: CSSResultGroup = [tones, pillStyles, turnStyles, styles];

  static override properties: PropertyDeclarations = {
    ...OperationElement.properties,
    state: {},
    summary: { type: Boolean },
    compact: {
      reflect: true,
      converter: {
        fromAttribute: (value: string | null): boolean | 'auto' => (value === 'auto' ? value : value !== null),
        toAttribute: (value: unknown): string | null => (value === 'auto' ? value : value ? '' : null),
      },
    },
  };

  /**
   * The state to show when there is no record: any state of an operation, or `quiet`, `stale`, `reconnecting`, `lost`,
   * `connecting`, `working`, `needs-you`, `idle`, `done`.
   * @attr
   */
  declare state: ShownState | undefined;

  /**
   * Also says what is being done and how far it is: "Building project 42%".
   * @attr
   */
  declare summary: boolean;

  /**
   * Shows the drawing only; the words stay for assistive technology. With `auto` only where the place is narrower than 7.5 rem: the pill
   * then takes a line of its own.
   * @attr
   */
  declare compact: boolean | 'auto';

  constructor() {
    super();
    this.summary = false;
    this.compact = false;
  }

  protected override needs(): readonly (Part<unknown> | false | undefined)[] {
    const feed = this.#summed();
    // On its way together with the session.
    if (feed) void summing.come();
    return [...super.needs(), this.summary && saying, feed?.session?.loaded && summing];
  }

  protected override render(): TemplateResult {
    const { state, summary: said, settled = true } = this.#sum() ?? {};
    this.stand(settled ? 0 : 30, state);
    // A framework that sets properties hands over the text of an attribute as it stands.
    const size: boolean | string = this.compact;
    const compact = size === 'auto' ? size : size || size === '' ? 'compact' : '';
    return html`<span part="base" class="base"
      >${state ? pill(state, this.language, undefined, this.summary ? said : undefined, compact) : nothing}</span
    >`;
  }

  protected override updated(): void {
    turns(this, true);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    turns(this, false);
  }

  #sum(): Partial<Sum> | undefined {
    const found = this.find();
    if (found) {
      const { operation, view, language } = found;
      return {
        state: shownState(operation, view),
        summary: this.summary ? saying.here?.summary(operation, language) : undefined,
        settled: hasEnded(operation),
      };
    }
    if (this.state) return { state: this.state };
    const { run, connection } = this;
    if (run && typeof run === 'object' && this.operationId === undefined) {
      // A run owes no news while it goes on: only the connection can speak against it.
      return { state: shownState(run as unknown as Operation, { now: run.updatedAt, connection: connection ?? undefined }) };
    }
    const feed = this.#summed();
    const key = typeof run === 'string' ? run : undefined;
    return feed && (summing.here?.sessionSum(feed, this.language, key) ?? { state: feed.error ? 'lost' : 'connecting' });
  }

  /** The session to sum up. */
  #summed(): FeedState | undefined {
    return this.operation || this.state || this.operationId !== undefined ? undefined : this.feed;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'status-pill': StatusPill;
  }
}
