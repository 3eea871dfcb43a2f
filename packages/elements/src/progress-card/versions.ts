import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { planCounts, relativeTime } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import type { CardRecord } from '@sitrep/schema';
import { adoptLater } from '../display/adopt-later.ts';
import { tr } from '../display/tr.ts';
import { shownStep } from './plan.ts';
import type { ShownStep } from './plan.ts';
import { versionStyles } from './versions.styles.ts';

/** Versions remembered of those that were shown. */
const REMEMBERED = 20;
/** Versions listed at most; the oldest go first. */
const LISTED = 50;

/** The versions of a card that are known, for the reader who asks for them; loaded where they are offered. */
export class Versions {
  readonly #changed: () => void;
  #remembered: CardRecord[] = [];
  #listed = false;
  /** The version to draw; undefined for the current one. */
  chosen: CardRecord | undefined;

  /** `changed` is called when the reader has asked for something. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Gives what has been drawn its looks. */
  settle(root: ShadowRoot): void {
    adoptLater(root, versionStyles);
  }

  /** Takes note of what is shown. */
  remember(card: CardRecord): void {
    if (this.#remembered.at(-1) === card) return;
    this.#remembered.push(card);
    if (this.#remembered.length > REMEMBERED) this.#remembered.shift();
  }

  /** The steps of the chosen version. What was going on then goes on no more: it keeps its own words. */
  steps(now: number, language: Language): readonly ShownStep[] {
    const card = this.chosen?.card ?? null;
    return (card?.plan ?? []).map((one) => shownStep(one, { revision: 1, card }, { now }, language));
  }

  /** The button that asks for earlier versions, and the list once it was asked for. `known` are those that others remember. */
  render(current: CardRecord, known: readonly CardRecord[], now: number, language: Language): TemplateResult | typeof nothing {
    const versions = earlier(current, [...known, ...this.#remembered]);
    if (versions.length === 0) return nothing;
    const list = (): void => {
      this.#listed = !this.#listed;
      this.chosen = undefined;
      this.#changed();
    };
    return html`<div class="earlier">
      <button part="earlier" type="button" aria-expanded=${this.#listed} @click=${list}>${tr('Earlier versions', language)}</button>
      ${
        this.#listed
          ? html`<ol part="history" class="history" role="list">
              ${[undefined, ...versions].map((version) => this.#entry(version, now, language))}
            </ol>`
          : nothing
      }
    </div>`;
  }

  #entry(version: CardRecord | undefined, now: number, language: Language): TemplateResult {
    const { completed, total } = planCounts(version?.card?.plan);
    const counts = total ? tr('{n} of {total} completed', language, { n: completed, total }) : '';
    const facts = [relativeTime(version?.updatedAt, now, language), counts].filter(Boolean).join(' · ');
    const choose = (): void => {
      this.chosen = version;
      this.#changed();
    };
    return html`<li>
      <button type="button" part="version" aria-pressed=${version === this.chosen} @click=${choose}>
        ${version ? tr('Version {n}', language, { n: version.revision }) : tr('Current version', language)}
        ${facts ? html`<bdi class="facts">${facts}</bdi>` : nothing}
      </button>
    </li>`;
  }
}

/** The versions before the current one, newest first, each once. */
function earlier(current: CardRecord, known: readonly CardRecord[]): readonly CardRecord[] {
  const byRevision = new Map<number, CardRecord>();
  for (const record of known) if (record.card && record.revision < current.revision) byRevision.set(record.revision, record);
  return [...byRevision.values()].sort((a, b) => b.revision - a.revision).slice(0, LISTED);
}
