import '@sitrep/elements/define/progress-list';
import { html } from 'lit';
import type { Operation } from '@sitrep/schema';
import { many } from './fixtures/many.ts';
import { ago, now, operation, run, session, still } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress list',
  component: 'progress-list',
  parameters: { ...about('progress-list', '<progress-list src="/v1/sessions/demo" actions="cancel retry" follow></progress-list>') },
};

const states: readonly Operation[] = [
  operation({ id: 'a', state: 'completed', title: 'Inspect the failing route', endedAt: ago(20), current: 12, total: 12, unit: 'files' }),
  operation({
    id: 'b',
    activeTitle: 'Repairing the session owner',
    title: 'Repair',
    current: 42,
    total: 100,
    unit: 'files',
    cancellable: true,
  }),
  operation({ id: 'c', parent: 'b', activeTitle: 'Type-checking', message: 'src/session/owner.ts' }),
  operation({
    id: 'd',
    state: 'blocked',
    title: 'Delete old branches',
    activeTitle: 'Deleting old branches',
    blockedOn: { kind: 'permission', prompt: 'Delete 14 branches that were merged more than a year ago?' },
  }),
  operation({
    id: 'e',
    state: 'waiting',
    title: 'Deploy',
    activeTitle: 'Deploying',
    waitingOn: { text: 'a free build machine', until: now + 95_000 },
  }),
  operation({
    id: 'f',
    state: 'failed',
    title: 'Run the flow tests',
    endedAt: ago(4),
    attempt: 2,
    error: { message: 'Expected 200, got 302.' },
  }),
  operation({ id: 'g', state: 'paused', title: 'Upload', fraction: 0.3 }),
  operation({ id: 'h', state: 'cancelled', title: 'Fetch the archive', endedAt: ago(9), reason: 'by_user' }),
  operation({ id: 'i', state: 'denied', title: 'Force push', endedAt: ago(9) }),
  operation({ id: 'j', state: 'interrupted', title: 'Watch the log', endedAt: ago(9) }),
  operation({ id: 'k', state: 'pending', title: 'Publish' }),
];
const list = (operations: readonly Operation[], more: object = {}) => {
  const { runs = [], ...attributes } = more as {
    runs?: readonly unknown[];
    filter?: string;
    follow?: boolean;
    plain?: boolean;
    limit?: number;
  };
  return html`<progress-list
    heading="Fix the login redirect"
    actions="cancel retry"
    .operations=${operations}
    .runs=${runs}
    .filter=${attributes.filter}
    .limit=${attributes.limit}
    ?follow=${attributes.follow}
    ?plain=${attributes.plain}
  ></progress-list>`;
};
const inRuns = states.map((one, index) => ({ ...one, run: index < 4 ? 'turn-1' : 'turn-2' }));
const runs = [
  run({ run: 'turn-1', state: 'completed', endedAt: ago(300) }),
  run({ run: 'turn-2', startedAt: ago(120), updatedAt: ago(2) }),
];

export const EveryState = { tags: ['picture'], render: () => list(states) };
export const ByRun = { tags: ['picture'], render: () => list(inRuns, { runs }) };
export const Expanded = {
  render: () => html`<progress-list heading="Fix the login redirect" expanded .operations=${inRuns} .runs=${runs}></progress-list>`,
};
export const NamedRuns = {
  render: () =>
    html`<progress-list
      .operations=${inRuns}
      .runs=${runs}
      .runTitle=${(key: string) => (key === 'turn-1' ? 'Find out why the login redirects' : undefined)}
    ></progress-list>`,
};
export const NeedsYou = { render: () => list(inRuns, { runs, filter: 'needs-you' }) };
export const OnlyFailed = { render: () => list(many(400).operations, { runs: many(400).runs, filter: 'failed' }) };
export const NothingInThisState = { tags: ['picture'], render: () => list([states[0]!], { filter: 'failed' }) };
export const Plain = { tags: ['picture'], render: () => list(states, { plain: true }) };
const thousands = many(10_000);
export const TenThousand = { render: () => list(thousands.operations, { runs: thousands.runs }) };
export const FollowNewest = { render: () => list(thousands.operations, { runs: thousands.runs, follow: true }) };
export const ShowEarlier = { render: () => list(thousands.operations, { runs: thousands.runs, limit: 60 }) };
export const Empty = { render: () => list([]) };
export const Loading = {
  render: () =>
    html`<progress-provider .store=${still(session({ loaded: false, title: undefined }))}
      ><progress-list></progress-list
    ></progress-provider>`,
};
export const ConnectionLost = {
  render: () =>
    html`<progress-provider .store=${still(session({ operations: inRuns, runs, connection: { state: 'lost', since: now } }))}
      ><progress-list></progress-list
    ></progress-provider>`,
};
export const NotReachable = { render: () => html`<progress-list src="data:text/plain,no"></progress-list>` };
const deep = Array.from({ length: 14 }, (_none, index) =>
  operation({ id: index, activeTitle: `Level ${index + 1}`, ...(index > 0 && { parent: index - 1 }) }),
);
export const Deep = { render: () => html`<progress-list heading="Deep" expanded .operations=${deep}></progress-list>` };
const long = 'Regenerate every fixture of the integration suite and compare each of them with the recorded output '.repeat(4);
export const LongWords = {
  render: () =>
    list([operation({ activeTitle: long, message: long }), operation({ id: 'b', activeTitle: 'x'.repeat(400), fraction: 0.4 })]),
};
export const Narrow = { render: () => html`<div style="inline-size:min(240px,100%)">${list(inRuns, { runs })}</div>` };
export const Medium = { render: () => html`<div style="inline-size:min(440px,100%)">${list(inRuns, { runs })}</div>` };
export const RightToLeft = { render: () => html`<div dir="rtl" lang="ar">${list(inRuns, { runs })}</div>` };
