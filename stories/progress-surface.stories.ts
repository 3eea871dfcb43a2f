import { html, nothing } from 'lit';
import '@sitrep/elements/define/progress-surface';
import type { CardRecord, Operation, Run } from '@sitrep/schema';
import { arabic, chat } from './fixtures/chat.ts';
import type { Words } from './fixtures/chat.ts';
import { ago, card, now, operation, plan, run, session, still } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress surface',
  component: 'progress-surface',
  parameters: {
    layout: 'fullscreen',
    ...about(
      'progress-surface',
      '<main>\n  <div class="transcript">…</div>\n  <progress-surface src="/v1/sessions/demo" rail="rail"></progress-surface>\n  <form>…</form>\n</main>\n<aside id="rail">…</aside>',
    ),
  },
};

const note = 'The failure is isolated to session ownership.\n\n<progress value="3" max="7" aria-label="Flow tests"></progress>';
const working = [
  operation({ id: 1, activeTitle: 'Compiling', message: 'src/session/owner.ts', current: 42, total: 100, unit: 'files' }),
  operation({ id: 3, title: 'Read the logs', state: 'completed', endedAt: ago(30), updatedAt: ago(30) }),
];

interface Parts {
  readonly card?: CardRecord;
  readonly operations?: readonly Operation[];
  readonly runs?: readonly Run[];
  readonly heading?: string;
  readonly open?: boolean;
  readonly width?: string;
  readonly height?: string;
  readonly direction?: 'rtl';
  readonly words?: Words;
}
const draw = ({
  card: body = card({ plan, markdown: note }, { run: 'turn-1' }),
  operations = working,
  runs = [run({ updatedAt: ago(20) })],
  heading = 'Fix the login redirect',
  open,
  ...over
}: Parts) =>
  chat({
    ...over,
    surface: html`<progress-surface
      rail="rail"
      heading=${heading}
      open=${open ? '' : nothing}
      .card=${body}
      .operations=${operations}
      .runs=${runs}
      .usage=${{ label: '12.4K tok · $0.03' }}
    ></progress-surface>`,
  });
const one = (parts: Parts = {}) => ({ render: () => draw(parts) });
const provided = (view: Parameters<typeof session>[0], width?: string) => ({
  render: () =>
    html`<progress-provider .store=${still(session(view))}>
      ${chat({ ...(width !== undefined && { width }), surface: html`<progress-surface rail="rail"></progress-surface>` })}
    </progress-provider>`,
});

/** The application has a rail in sight: the card is there, open. Make the window narrower and it goes beside the composer. */
export const InTheApplication = one();
export const InTheRail = { tags: ['picture', 'wide'], ...one({ width: '72rem' }) };
export const BesideTheComposer = { tags: ['picture'], ...one({ width: '46rem' }) };
export const BesideTheComposerOpen = { tags: ['picture'], ...one({ width: '46rem', open: true }) };
export const Phone = one({ width: '22rem' });
export const Narrowest = one({ width: '240px', height: '28rem' });
export const NarrowestOpen = one({ width: '240px', height: '36rem', open: true });
export const NeedsYou = {
  tags: ['picture'],
  ...one({
    width: '46rem',
    operations: [
      operation({
        id: 1,
        state: 'blocked',
        activeTitle: 'Deleting old branches',
        blockedOn: { kind: 'permission', prompt: 'Delete 14 merged branches?' },
      }),
    ],
  }),
};
export const Failed = one({
  width: '46rem',
  card: card({ plan }, { run: 'turn-1', updatedAt: ago(30) }),
  operations: [
    operation({ id: 3, run: 'turn-1', title: 'Run tests', state: 'failed', endedAt: ago(22), error: { message: '1 of 131 failed.' } }),
  ],
  runs: [run({ state: 'failed', endedAt: ago(20) })],
});
export const Finished = one({
  width: '46rem',
  card: card({ plan: plan.map(({ step }) => ({ step, status: 'completed' as const })) }),
  operations: [],
  runs: [run({ state: 'completed', endedAt: ago(20) })],
});
export const NoteOnly = one({ width: '46rem', card: card({ markdown: note }), operations: [] });
export const Paused = one({
  width: '46rem',
  card: card({ plan }, { run: 'turn-1' }),
  operations: [],
  runs: [run({ state: 'interrupted', endedAt: ago(60) })],
});
export const ConnectionLost = provided(
  { card: card({ plan }, { run: 'turn-1' }), runs: [run()], operations: working, connection: { state: 'lost', since: now } },
  '46rem',
);
/** The agent has said nothing yet: the surface takes no space. */
export const NothingToShow = provided({ usage: undefined }, '46rem');
export const NotLoaded = {
  render: () =>
    chat({
      width: '46rem',
      surface: html`<progress-surface rail="rail" heading="Release 2.4" src="data:text/plain,not-a-session"></progress-surface>`,
    }),
};
export const RightToLeft = one({
  width: '72rem',
  direction: 'rtl',
  words: arabic,
  heading: arabic.title,
  card: card(
    {
      plan: [
        { step: 'فحص المسار المعطل', status: 'completed' },
        { step: 'إصلاح مالك الجلسة', status: 'in_progress' },
        { step: 'تشغيل التحقق', status: 'pending' },
      ],
    },
    { run: 'turn-1' },
  ),
  operations: [],
});
export const RightToLeftBesideTheComposer = one({
  width: '46rem',
  direction: 'rtl',
  words: arabic,
  heading: arabic.title,
  operations: [],
  card: card({
    plan: [
      { step: 'فحص المسار المعطل', status: 'completed' },
      { step: 'إصلاح مالك الجلسة', status: 'in_progress' },
    ],
  }),
});
export const Dark = { render: () => html`<div style="color-scheme:dark">${draw({ width: '72rem' })}</div>` };

/** The surface as the shell itself: nothing to name, nothing to lay out. */
export const AsTheShell = {
  render: () =>
    html`<progress-surface
      style="block-size:26rem"
      heading="Fix the login redirect"
      .card=${card({ plan }, { run: 'turn-1' })}
      .runs=${[run({ updatedAt: ago(20) })]}
    >
      <main>
        <p>The redirect is decided before the session has an owner.</p>
      </main>
      <textarea slot="composer" aria-label="Write a message" style="inline-size:100%;box-sizing:border-box"></textarea>
      <p slot="rail">3 changed files</p>
    </progress-surface>`,
};
