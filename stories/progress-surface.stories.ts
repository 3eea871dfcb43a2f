import { html } from 'lit';
import type { CardRecord, Operation, Run } from '@sitrep/schema';
import type { SessionView } from '@sitrep/client';
import { arabic, chat, english } from './fixtures/chat.ts';
import { ago, card, now, operation, plan, run, session, still } from './fixtures/records.ts';
import { drawn, elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

/** The surface in the application that it is for. */
const draw = ({ height, view, ...args }: Args & { readonly height?: string }) => {
  const application = chat({
    ...(height && { height }),
    ...(args.dir && { direction: args.dir }),
    words: args.lang === 'ar' ? arabic : english,
    surface: drawn('progress-surface', { rail: 'rail', ...args }),
  });
  return view ? html`<progress-provider .store=${still(view)}>${application}</progress-provider>` : application;
};

const page = elementPage('progress-surface', {
  usage:
    '<main>\n  <div class="transcript">…</div>\n  <progress-surface src="/v1/sessions/demo" rail="rail"></progress-surface>\n  <form>…</form>\n</main>\n<aside id="rail">…</aside>',
  height: 480,
  draw,
  records: { height: { description: 'Height of the application, for instance `28rem`.', control: 'text' }, ...OF_A_SESSION },
});

export default { title: 'Progress surface', ...page, parameters: { ...page.parameters, layout: 'fullscreen' } };

const note = 'The failure is isolated to session ownership.\n\n<progress value="3" max="7" aria-label="Flow tests"></progress>';
const working = [
  operation({ id: 1, activeTitle: 'Compiling', message: 'src/session/owner.ts', current: 42, total: 100, unit: 'files' }),
  operation({ id: 3, title: 'Read the logs', state: 'completed', endedAt: ago(30), updatedAt: ago(30) }),
];

interface Parts {
  readonly card?: CardRecord;
  readonly operations?: readonly Operation[];
  readonly runs?: readonly Run[];
}
/** A state as records that can be changed beside the story. */
const one = (more: Args & Parts = {}) => ({
  args: {
    rail: 'rail',
    heading: 'Fix the login redirect',
    card: card({ plan, markdown: note }, { run: 'turn-1' }),
    operations: working,
    runs: [run({ updatedAt: ago(20) })],
    usage: { label: '12.4K tok · $0.03' },
    ...more,
  },
});
const ofSession = (over: Partial<SessionView>) => ({ args: { rail: 'rail', width: COLUMN, view: session(over) } });
/** Rooms an application has, pixels: with a rail, a column beside its sessions, a phone. */
const WHOLE = 1152;
const COLUMN = 736;
const PHONE = 352;

/** The application has a rail in sight: the card is there, open. Make the window narrower and it goes beside the composer. */
export const InTheApplication = one();
export const InTheRail = { tags: ['picture', 'wide'], ...one({ width: WHOLE }) };
export const BesideTheComposer = { tags: ['picture'], ...one({ width: COLUMN }) };
export const BesideTheComposerOpen = { tags: ['edited', 'picture'], ...one({ width: COLUMN, open: true }) };
export const Phone = one({ width: PHONE });
export const Narrowest = one({ width: 240, height: '28rem' });
export const NarrowestOpen = one({ width: 240, height: '36rem', open: true });
export const NeedsYou = {
  tags: ['picture'],
  ...one({
    width: COLUMN,
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
export const Waiting = one({
  width: COLUMN,
  card: card({ markdown: note }),
  runs: [],
  operations: [operation({ state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } })],
});
export const Failed = one({
  width: COLUMN,
  card: card({ plan }, { run: 'turn-1', updatedAt: ago(30) }),
  operations: [
    operation({ id: 3, run: 'turn-1', title: 'Run tests', state: 'failed', endedAt: ago(22), error: { message: '1 of 131 failed.' } }),
  ],
  runs: [run({ state: 'failed', endedAt: ago(20) })],
});
export const Finished = one({
  width: COLUMN,
  card: card({ plan: plan.map(({ step }) => ({ step, status: 'completed' as const })) }),
  operations: [],
  runs: [run({ state: 'completed', endedAt: ago(20) })],
});
export const NoteOnly = one({ width: COLUMN, card: card({ markdown: note }), operations: [] });
const over = (state: 'cancelled' | 'interrupted') =>
  one({ width: COLUMN, card: card({ plan }, { run: 'turn-1' }), operations: [], runs: [run({ state, endedAt: ago(60) })] });
export const Paused = over('interrupted');
export const Stopped = over('cancelled');
export const OutOfDate = one({
  width: COLUMN,
  card: card({ plan }, { updatedAt: ago(4000) }),
  operations: [],
  runs: [run({ startedAt: ago(5000), updatedAt: ago(4000) })],
});
const held = { card: card({ plan }, { run: 'turn-1' }), runs: [run()], operations: working };
export const Reconnecting = { tags: ['edited'], ...ofSession({ ...held, connection: { state: 'reconnecting', since: ago(12) } }) };
export const ConnectionLost = ofSession({ ...held, connection: { state: 'lost', since: now } });
/** The agent has said nothing yet: the surface takes no space. */
export const NothingToShow = ofSession({ usage: undefined });
export const NotLoaded = { args: { rail: 'rail', width: COLUMN, heading: 'Release 2.4', src: 'data:text/plain,not-a-session' } };
const inArabic = {
  lang: 'ar',
  dir: 'rtl',
  heading: arabic.title,
  operations: [],
} as const;
const arabicPlan = [
  { step: 'فحص المسار المعطل', status: 'completed' },
  { step: 'إصلاح مالك الجلسة', status: 'in_progress' },
  { step: 'تشغيل التحقق', status: 'pending' },
] as const;
export const RightToLeft = one({ ...inArabic, width: WHOLE, card: card({ plan: [...arabicPlan] }, { run: 'turn-1' }) });
export const RightToLeftBesideTheComposer = one({ ...inArabic, width: COLUMN, card: card({ plan: arabicPlan.slice(0, 2) }) });
export const Dark = one({ width: WHOLE, scheme: 'dark' });
export const Dense = one({ width: WHOLE, density: 'dense' });

/** The surface as the shell itself: nothing to name, nothing to lay out. */
export const AsTheShell = {
  args: { heading: 'Fix the login redirect', card: card({ plan }, { run: 'turn-1' }), runs: [run({ updatedAt: ago(20) })] },
  render: (args: Args) =>
    html`<div class="whole-shell">
      ${drawn(
        'progress-surface',
        args,
        html`<main><p>The redirect is decided before the session has an owner.</p></main>
          <textarea slot="composer" aria-label="Write a message" style="inline-size:100%;box-sizing:border-box"></textarea>
          <p slot="rail">3 changed files</p>`,
      )}
    </div>`,
};
const sheet = new CSSStyleSheet();
sheet.replaceSync('.whole-shell > progress-surface { block-size: 26rem }');
document.adoptedStyleSheets.push(sheet);
