import { html } from 'lit';
import type { SessionView } from '@sitrep/client';
import type { CardRecord, Operation, Run } from '@sitrep/schema';
import { ago, card, now, operation, plan, run, session } from './fixtures/records.ts';
import { drawn, elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

export default {
  title: 'Progress card',
  ...elementPage('progress-card', {
    usage: '<progress-card src="/v1/sessions/demo" actions="cancel retry"></progress-card>',
    records: OF_A_SESSION,
  }),
};

interface Parts {
  readonly card?: CardRecord;
  readonly operations?: readonly Operation[];
  readonly runs?: readonly Run[];
}
/** A state as records that can be changed beside the story. */
const one = (parts: Parts & Args) => ({
  args: {
    heading: 'Fix the login redirect',
    open: true,
    runs: [run({ updatedAt: ago(5) })],
    usage: { label: '12.4K tok · $0.03' },
    ...parts,
  },
});
const ofSession = (view: Partial<SessionView>, more: Args = { open: true }) => ({ args: { view: session(view), ...more } });

const working = [
  operation({ id: 1, activeTitle: 'Compiling', message: 'src/session/owner.ts', current: 42, total: 100, unit: 'files' }),
  operation({ id: 2, activeTitle: 'Searching', current: 1284, unit: 'files' }),
  operation({ id: 3, title: 'Read the logs', state: 'completed', endedAt: ago(30), updatedAt: ago(30) }),
];

export const Running = {
  tags: ['edited', 'picture'],
  ...one({
    card: card({ plan, markdown: 'The failure is isolated to session ownership. No blocker.' }),
    operations: working,
  }),
};
export const RunningClosed = { tags: ['picture'], ...one({ card: card({ plan }), operations: working, open: false }) };
export const OperationsClosed = one({ operations: working, open: false });
export const Loading = ofSession({ loaded: false, title: undefined, usage: undefined }, { heading: 'Release 2.4' });
export const Empty = { tags: ['picture'], ...ofSession({ usage: undefined }) };
export const ErrorWithRetry = { args: { heading: 'Release 2.4', src: 'data:text/plain,not-a-session' } };
export const Paused = {
  tags: ['picture'],
  ...one({ card: card({ plan }, { run: 'turn-1' }), runs: [run({ state: 'interrupted', endedAt: ago(60) })] }),
};
export const Stopped = one({ card: card({ plan }, { run: 'turn-1' }), runs: [run({ state: 'cancelled', endedAt: ago(60) })] });
export const Waiting = one({
  runs: [],
  operations: [operation({ id: 1, state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } })],
});
export const Stale = {
  tags: ['picture'],
  ...one({ card: card({ plan }, { updatedAt: ago(4000) }), runs: [run({ startedAt: ago(5000) })] }),
};
export const Completed = {
  tags: ['picture'],
  ...one({
    card: card({ plan: plan.map(({ step }) => ({ step, status: 'completed' as const })), markdown: 'All **118** tests pass.' }),
    operations: [operation({ id: 3, title: 'Run tests', state: 'completed', current: 118, total: 118, unit: 'tests', endedAt: ago(30) })],
    runs: [run({ state: 'completed', endedAt: ago(20) })],
    open: undefined,
  }),
};
export const Failed = {
  tags: ['picture'],
  ...one({
    card: card({ plan }, { run: 'turn-1', updatedAt: ago(30) }),
    operations: [
      operation({
        id: 3,
        run: 'turn-1',
        title: 'Run tests',
        state: 'failed',
        endedAt: ago(22),
        error: { message: '1 of 131 tests failed.' },
      }),
    ],
    runs: [run({ state: 'failed', endedAt: ago(20) })],
    open: undefined,
  }),
};
export const ForeignSteps = one({
  card: card({
    plan: [
      { step: 'Fetch', status: 'completed' },
      { step: 'Convert', status: 'failed' },
      { step: 'Upload', status: 'cancelled' },
      { step: 'Announce', status: 'pending' },
    ],
  }),
});
export const NeedsYou = {
  tags: ['picture'],
  ...one({
    card: card({ plan }),
    operations: [
      operation({
        id: 1,
        state: 'blocked',
        activeTitle: 'Deleting old branches',
        blockedOn: { kind: 'permission', prompt: 'Delete 14 merged branches?' },
      }),
      ...working.slice(0, 1),
    ],
  }),
};
export const BesideTheComposer = {
  tags: ['picture'],
  ...one({ placement: 'composer', card: card({ plan }), operations: working, open: false }),
};
export const BesideTheComposerOpen = {
  tags: ['picture'],
  ...one({ placement: 'composer', card: card({ plan, markdown: 'No blocker.' }), operations: working }),
};
export const ShownInPassing = one({
  placement: 'peek',
  card: card({ plan, markdown: 'Tests are running.\n\n<progress value="3" max="7"></progress>' }),
});
export const FiftySteps = one({
  card: card({
    plan: Array.from({ length: 50 }, (_none, index) => ({
      step: `Migrate table ${index + 1}`,
      status: index < 20 ? ('completed' as const) : index === 20 ? ('in_progress' as const) : ('pending' as const),
    })),
  }),
});
export const LongWords = one({
  heading: 'w'.repeat(300),
  card: card({ plan: [{ step: 'x'.repeat(500), status: 'in_progress' }], markdown: `\`${'y'.repeat(400)}\` ${'z'.repeat(400)}` }),
  operations: [operation({ activeTitle: 'v'.repeat(120), fraction: 0.4 })],
});
const table = `Tests are running, see [the run](https://example.org/run).

<progress value="3" max="7"></progress>

| check | state | took | note |
| :--- | :---: | ---: | --- |
| unit tests | passed | 12 s | 118 of 118 |
| live flow | running | 48 s | waits for a browser |

- [x] reproduced
- [ ] fixed

> Nothing else is blocked.

\`\`\`
npm test
\`\`\``;
export const NoteWithTableAndBars = { tags: ['picture'], ...one({ card: card({ markdown: table }) }) };
export const HostileNote = one({
  card: card({
    markdown:
      '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n[click](javascript:alert(1)) <b onclick=alert(1)>bold</b> ![a picture](https://example.org/p.png)\n\n<progress value=3 max=7 onclick=alert(1)/> the text after a bar stays\n\n<svg><style>*{display:none}</style></svg>\n\n<form action=https://example.org><input></form> after the form',
  }),
});
export const PathologicalNote = one({ card: card({ markdown: `${'>'.repeat(1875)} deep` }) });
const release = { heading: 'Release 2.4', usage: undefined };
export const LiveOperationsOnly = one({ ...release, 'show-operations': 'live', operations: working, runs: [run()] });
export const WithoutOperations = one({
  ...release,
  'show-operations': 'none',
  card: card({ plan }),
  operations: working,
  runs: [run()],
});
export const Dismissible = one({
  ...release,
  open: false,
  actions: 'dismiss',
  card: card({ plan }, { run: 'turn-1' }),
  runs: [run({ state: 'interrupted', endedAt: ago(60) })],
});
export const EarlierVersions = {
  tags: ['picture'],
  ...one({
    ...release,
    actions: 'history',
    card: card({ plan }),
    history: [1, 2, 3].map((revision) =>
      card({ plan: plan.slice(0, revision), markdown: `Version ${revision} of it.` }, { revision, updatedAt: ago(3600 / revision) }),
    ),
  }),
};
export const NestedOperations = one({
  operations: [
    operation({ id: 'release', activeTitle: 'Releasing 2.4', current: 1, total: 3, unit: 'stages' }),
    operation({ id: 'test', parent: 'release', activeTitle: 'Testing', fraction: 0.5 }),
    operation({
      id: 'flow',
      parent: 'test',
      title: 'Flow tests',
      state: 'failed',
      endedAt: ago(1),
      error: { message: 'Expected 200, got 302.' },
    }),
  ],
});
const held = { card: card({ plan }, { run: 'turn-1' }), runs: [run()], operations: working };
export const Reconnecting = ofSession({ ...held, connection: { state: 'reconnecting', since: now } });
export const ConnectionLost = { tags: ['edited'], ...ofSession({ ...held, connection: { state: 'lost', since: now } }) };
export const Narrow = {
  ...one({ width: 240, card: card({ plan, markdown: table }), operations: working }),
  render: (args: Args) =>
    html`<div style="inline-size:min(240px,100%)">
      ${drawn('progress-card', args)}<br />
      ${drawn('progress-card', { ...args, card: card({ plan }), open: false, heading: 'w'.repeat(100) })}
    </div>`,
};
export const Dense = one({ density: 'dense', card: card({ plan, markdown: table }), operations: working });
export const RightToLeft = one({
  lang: 'ar',
  dir: 'rtl',
  heading: 'إصلاح إعادة التوجيه',
  card: card({
    plan: [
      { step: 'فحص المسار المعطل', status: 'completed' },
      { step: 'إصلاح مالك الجلسة', status: 'in_progress' },
      { step: 'تشغيل التحقق', status: 'pending' },
    ],
    markdown: 'العطل محصور في **ملكية الجلسة**.\n\n<progress value="3" max="7"></progress>',
  }),
  operations: [operation({ activeTitle: 'بناء المشروع', message: 'ترجمة الملفات', current: 30, total: 100, unit: 'ملف' })],
});
export const Dark = one({ scheme: 'dark', card: card({ plan, markdown: table }), operations: working });
