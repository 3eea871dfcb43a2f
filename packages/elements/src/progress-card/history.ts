import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { planCounts, relativeTime } from '@sitrep/schema/select';
import type { Language } from '@sitrep/schema/select';
import type { CardRecord } from '@sitrep/schema';
import { tr } from '../display/tr.ts';

/** Versions listed at most; the oldest go first. */
const LISTED = 50;

/** The versions before `current` that anybody knows, newest first, each once. */
export function earlierVersions(current: CardRecord, known: readonly CardRecord[]): readonly CardRecord[] {
  const byRevision = new Map<number, CardRecord>();
  for (const record of known) if (record.card && record.revision < current.revision) byRevision.set(record.revision, record);
  return [...byRevision.values()].sort((a, b) => b.revision - a.revision).slice(0, LISTED);
}

/** The list to choose from; `shown` is the version that is drawn, undefined for the current one. */
export function versionList(
  versions: readonly CardRecord[],
  shown: CardRecord | undefined,
  now: number,
  language: Language,
  choose: (version: CardRecord | undefined) => void,
): TemplateResult {
  const entry = (version: CardRecord | undefined, name: string): TemplateResult => {
    const ago = relativeTime(version?.updatedAt, now, language);
    const { completed, total } = planCounts(version?.card?.plan);
    const facts = [ago, total ? tr('{n} of {total} completed', language, { n: completed, total }) : ''].filter(Boolean).join(' · ');
    return html`<li>
      <button type="button" part="version" aria-pressed=${version === shown} @click=${() => choose(version)}>
        ${name} ${facts ? html`<bdi class="facts">${facts}</bdi>` : nothing}
      </button>
    </li>`;
  };
  return html`<ol part="history" class="history" role="list" id="history">
    ${entry(undefined, tr('Current version', language))}
    ${versions.map((version) => entry(version, tr('Version {n}', language, { n: version.revision })))}
  </ol>`;
}
