import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { ProgressPeek } from '@sitrep/elements';
import { arabic, chat, english } from './fixtures/chat.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import type { Answer, Served } from './fixtures/gateway.ts';
import { ago, card, now, operation, plan, run, session } from './fixtures/records.ts';
import { drawn, elementPage, within } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

const note =
  'Six of the flow tests still fail, all on the same redirect.\n\n<progress value="12" max="18" aria-label="Flow tests"></progress>';
const running = [run({ updatedAt: ago(20) })];
const here = { run: 'turn-1' };
const served: Served = {
  login: session({ title: english.title, card: card({ plan, markdown: note }, here), runs: running }),
  release: session({
    title: 'Release 2.4',
    card: card(
      {
        plan: ['Freeze', 'Build', 'Publish', 'Announce'].map(
          (step, index) => ({ step, status: index < 2 ? 'completed' : index === 2 ? 'in_progress' : 'pending' }) as const,
        ),
      },
      here,
    ),
    operations: [operation({ ...here, id: 'p', activeTitle: 'Publishing packages', current: 7, total: 12, unit: 'packages' })],
    runs: running,
    usage: { label: '48.1K tok · $0.22' },
  }),
  branches: session({
    title: 'Tidy old branches',
    operations: [
      operation({
        ...here,
        id: 'b',
        state: 'blocked',
        activeTitle: 'Deleting old branches',
        blockedOn: { kind: 'permission', prompt: 'Delete 14 merged branches?' },
      }),
    ],
    runs: running,
  }),
  docs: session({
    title: 'Rewrite the guide',
    card: card(
      { plan: plan.map(({ step }) => ({ step, status: 'completed' as const })), markdown: 'All **118** examples run.' },
      { run: 'turn-1', updatedAt: ago(3000) },
    ),
    runs: [run({ state: 'completed', endedAt: ago(2900) })],
    usage: undefined,
  }),
  import: session({
    title: 'Import the archive',
    operations: [
      operation({
        ...here,
        id: 'i',
        title: 'Read the archive',
        state: 'failed',
        endedAt: ago(40),
        updatedAt: ago(40),
        error: { message: 'Disk is full.' },
      }),
    ],
    runs: [run({ state: 'failed', endedAt: ago(40) })],
  }),
  empty: session({ title: 'A new session', usage: undefined }),
  arabic: session({
    title: arabic.title,
    card: card(
      {
        plan: [
          { step: 'فحص المسار المعطل', status: 'completed' },
          { step: 'إصلاح مالك الجلسة', status: 'in_progress' },
          { step: 'تشغيل التحقق', status: 'pending' },
        ],
      },
      here,
    ),
    runs: running,
    usage: undefined,
  }),
  deploy: session({
    title: 'Deploy 2.4',
    operations: [operation({ state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } })],
  }),
  stopped: session({ title: 'Tidy up', card: card({ plan }, here), runs: [run({ state: 'cancelled', endedAt: ago(60) })] }),
  paused: session({ title: 'Watch the log', card: card({ plan }, here), runs: [run({ state: 'interrupted', endedAt: ago(60) })] }),
  stale: session({
    title: 'Index the docs',
    card: card({ plan }, { updatedAt: ago(4000) }),
    runs: [run({ startedAt: ago(5000), updatedAt: ago(4000) })],
  }),
  slow: 'loading',
  refused: 'denied',
};

type Shown = Args & { readonly served: Served; readonly shown?: string };

/** Shows a card as soon as the page is drawn, as if the reader had turned to its reference. */
const showing = (box: Element | undefined, reference: string): void =>
  void setTimeout(() => {
    const found = box?.querySelector<HTMLElement>(reference);
    if (found) document.querySelector<ProgressPeek>('progress-peek')?.show(found);
  });

/** An application with a session for each that is served: one element shows the card of whichever the reader turns to. */
const draw = ({ served: sessions, shown, ...args }: Shown) => {
  serve(sessions);
  const open = (box?: Element): void => (shown ? showing(box, `[data-progress-session="${shown}"]`) : undefined);
  return html`<div id="application" ${ref(open)}>
      ${chat({
        ...(args.dir && { direction: args.dir }),
        words: args.lang === 'ar' ? arabic : english,
        surface: nothing,
        rows: Object.entries(sessions).map(
          ([key, answer], index) =>
            html`<a href="#${key}" data-progress-session=${key} aria-current=${index === 0 ? 'page' : nothing}>
              <span>${typeof answer === 'object' ? answer.title : key}</span><status-pill src="${BASE}/${key}" compact></status-pill>
            </a>`,
        ),
        answer:
          args.lang !== 'ar' && 'release' in sessions
            ? html`This waits for <a href="#release" data-progress-session="release">the release of 2.4</a>, which is on its way.`
            : undefined,
      })}
    </div>
    ${drawn('progress-peek', { for: 'application', base: BASE, ...args })}`;
};

/** Around one reference, in a text. */
const drawInText = ({ served: sessions, shown = '', ...args }: Shown) => {
  serve(sessions);
  const open = (text?: Element): void => showing(text, 'a');
  return html`<p class="peeked-text" ${ref(open)}>
    This waits for ${drawn('progress-peek', { src: `${BASE}/${shown}`, ...args }, html`<a href="#there">the other session</a>`)} and goes on
    then.
  </p>`;
};
const sheet = new CSSStyleSheet();
sheet.replaceSync('.peeked-text { margin: 0; padding: 1rem; font: 1rem/1.6 var(--page-font, system-ui) }');
document.adoptedStyleSheets.push(sheet);

const page = elementPage('progress-peek', {
  usage:
    '<progress-peek for="chat" base="/v1/sessions/"></progress-peek>\n<a href="/chats/build" data-progress-session="build">Fix the build</a>',
  height: 480,
  draw: (args) => draw(args as Shown),
  records: {
    served: 'What the gateway of the story serves, by key: a session, or “denied”, “unreachable”, “loading”.',
    shown: { description: 'Key of the session whose card is shown at once.', control: 'text' },
  },
});

export default { title: 'Progress peek', ...page, parameters: { ...page.parameters, layout: 'fullscreen' } };

const rows: Served = Object.fromEntries(['login', 'release', 'branches', 'docs', 'import'].map((key) => [key, served[key]!]));
/** Sessions as records that can be changed beside the story, and the one whose card is shown at once. */
const one = (shown?: string, more: Args = {}) => ({
  args: { served: shown === undefined || shown in rows ? rows : { ...rows, [shown]: served[shown]! }, shown, ...more },
});
const inText = (key: string, answer: Answer | undefined = served[key], more: Args = {}) => ({
  args: { served: answer === undefined ? {} : { [key]: answer }, shown: key, ...more },
  render: (args: Args) => within(args, drawInText(args as Shown)),
});

/** Rest the pointer on a session, go there by Tab, or rest a finger on it. One element serves the whole application. */
export const InTheApplication = one();
export const OnARow = { tags: ['edited', 'picture', 'wide'], ...one('login') };
export const WithOperations = one('release');
export const Waiting = one('deploy');
export const NeedsYou = one('branches');
export const Failed = one('import');
export const Finished = one('docs');
export const Stopped = one('stopped');
export const Interrupted = one('paused');
export const OutOfDate = one('stale');
export const Dark = one('login', { scheme: 'dark' });
export const Dense = one('release', { density: 'dense' });
export const RightToLeft = { args: { served: { arabic: served['arabic']! }, shown: 'arabic', lang: 'ar', dir: 'rtl' } };
export const InAText = { tags: ['picture'], ...inText('login') };
export const Loading = inText('slow');
export const Empty = inText('empty');
export const Unavailable = inText('unknown');
/** Nothing comes: the reader may not read that session. */
export const NoAccess = inText('refused');
export const Narrowest = inText('release', undefined, { width: 240 });
