import type { Operation, Run } from '@sitrep/schema';
import type { SessionView } from '@sitrep/client';
import { many } from './fixtures/many.ts';
import { ago, now, operation, run, session } from './fixtures/records.ts';
import { drawn, elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

export default {
  title: 'Progress list',
  ...elementPage('progress-list', {
    usage: '<progress-list src="/v1/sessions/demo" actions="cancel retry" follow></progress-list>',
    records: OF_A_SESSION,
  }),
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
const inRuns = states.map((one, index) => ({ ...one, run: index < 4 ? 'turn-1' : 'turn-2' }));
const runs = [
  run({ run: 'turn-1', state: 'completed', endedAt: ago(300) }),
  run({ run: 'turn-2', startedAt: ago(120), updatedAt: ago(2) }),
];

/** A state as records that can be changed beside the story. */
const one = (operations: readonly Operation[], more: Args = {}) => ({
  args: { heading: 'Fix the login redirect', actions: 'cancel retry', operations, runs: [] as readonly Run[], ...more },
});
const ofSession = (over: Partial<SessionView>) => ({ args: { view: session(over) } });

export const EveryState = { tags: ['edited', 'picture'], ...one(states) };
export const ByRun = { tags: ['picture'], ...one(inRuns, { runs }) };
/** A run of each kind: what it came to stands at its head. */
export const EveryRun = one(
  (['completed', 'failed', 'cancelled', 'interrupted', 'running'] as const).map((state, index) =>
    operation({
      id: state,
      run: `turn-${index}`,
      title: `Work of turn ${index + 1}`,
      activeTitle: `Working in turn ${index + 1}`,
      ...(state !== 'running' && { state, endedAt: ago(200 - index * 40) }),
    }),
  ),
  {
    runs: (['completed', 'failed', 'cancelled', 'interrupted', 'running'] as const).map((state, index) =>
      run({ run: `turn-${index}`, state, updatedAt: ago(1), ...(state !== 'running' && { endedAt: ago(200 - index * 40) }) }),
    ),
  },
);
export const WithoutGroups = one(inRuns, { runs, grouping: 'none' });
export const Expanded = one(inRuns, { runs, expanded: true, actions: '' });
export const OneRun = one(inRuns, { runs, run: 'turn-2' });
export const NamedRuns = {
  args: { operations: inRuns, runs },
  render: (args: Args) =>
    drawn('progress-list', { ...args, runTitle: (key: string) => (key === 'turn-1' ? 'Find out why the login redirects' : undefined) }),
};
export const NeedsYou = one(inRuns, { runs, filter: 'needs-you' });
const hundreds = many(400);
export const OnlyFailed = one(hundreds.operations, { runs: hundreds.runs, filter: 'failed' });
export const NothingInThisState = { tags: ['picture'], ...one([states[0]!], { filter: 'failed' }) };
export const Plain = { tags: ['picture'], ...one(states, { plain: true }) };

/** As many as the story says: too many to be edited one by one. */
const ofMany = (count: number, more: Args = {}) => ({
  args: { heading: 'Fix the login redirect', actions: 'cancel retry', count, ...more },
  argTypes: { count: { control: { type: 'number' as const, min: 0, max: 100_000 }, table: { category: 'records of the story' } } },
  render: ({ count: asked, ...args }: Args) => drawn('progress-list', { ...args, ...many(Number(asked)) }),
});
export const TenThousand = ofMany(10_000);
export const FollowNewest = ofMany(10_000, { follow: true });
export const ShowEarlier = ofMany(10_000, { limit: 60 });

export const Empty = one([]);
export const Loading = ofSession({ loaded: false, title: undefined });
export const Connecting = ofSession({ loaded: false, title: undefined, connection: { state: 'connecting', since: now } });
export const Reconnecting = ofSession({ operations: inRuns, runs, connection: { state: 'reconnecting', since: ago(12) } });
export const ConnectionLost = { tags: ['edited'], ...ofSession({ operations: inRuns, runs, connection: { state: 'lost', since: now } }) };
export const NotReachable = { args: { src: 'data:text/plain,no' } };
export const Deep = one(
  Array.from({ length: 14 }, (_none, index) =>
    operation({ id: index, activeTitle: `Level ${index + 1}`, ...(index > 0 && { parent: index - 1 }) }),
  ),
  { heading: 'Deep', expanded: true, actions: '' },
);
const long = 'Regenerate every fixture of the integration suite and compare each of them with the recorded output '.repeat(4);
export const LongWords = one([
  operation({ activeTitle: long, message: long }),
  operation({ id: 'b', activeTitle: 'x'.repeat(400), fraction: 0.4 }),
]);
export const Narrow = one(inRuns, { runs, width: 240 });
export const Medium = one(inRuns, { runs, width: 440 });
export const Dense = one(inRuns, { runs, density: 'dense' });
export const Dark = one(inRuns, { runs, scheme: 'dark' });
export const RightToLeft = one(inRuns, { runs, lang: 'ar', dir: 'rtl' });
