import { html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { TemplateResult } from 'lit';
import type { ProgressPeek } from '@sitrep/elements';
import '@sitrep/elements/define/progress-peek';
import '@sitrep/elements/define/progress-surface';
import { arabic, chat, english } from './fixtures/chat.ts';
import type { Words } from './fixtures/chat.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import { ago, card, operation, plan, run, session } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress peek',
  component: 'progress-peek',
  parameters: {
    layout: 'fullscreen',
    ...about(
      'progress-peek',
      '<progress-peek for="chat" base="/v1/sessions/"></progress-peek>\n<a href="/chats/build" data-progress-session="build">Fix the build</a>',
      '480px',
    ),
  },
};

const note =
  'Six of the flow tests still fail, all on the same redirect.\n\n<progress value="12" max="18" aria-label="Flow tests"></progress>';
const running = [run({ updatedAt: ago(20) })];
const here = { run: 'turn-1' };
serve({
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
  slow: 'loading',
  refused: 'denied',
});

const titles: Readonly<Record<string, string>> = {
  login: english.title,
  release: 'Release 2.4',
  branches: 'Tidy old branches',
  docs: 'Rewrite the guide',
  import: 'Import the archive',
};

interface Parts {
  /** Whose card is shown at once. */
  readonly shown?: string;
  readonly width?: string;
  readonly height?: string;
  readonly words?: Words;
  readonly direction?: 'rtl';
  readonly keys?: readonly string[];
}

/** Shows a card as soon as the page is drawn, as if the reader had turned to its reference. */
function showing(peek: Element | undefined, selector: string, root?: ParentNode): void {
  if (!peek) return;
  setTimeout(() => {
    const reference = (root ?? peek).querySelector<HTMLElement>(selector);
    if (reference) (peek as ProgressPeek).show(reference);
  });
}

function draw({ shown, keys = Object.keys(titles), words = english, ...over }: Parts): TemplateResult {
  return html`<div id="application">
      ${chat({
        ...over,
        words,
        surface: nothing,
        rows: keys.map(
          (key, index) =>
            html`<a href="#${key}" data-progress-session=${key} aria-current=${index === 0 ? 'page' : nothing}>
              <span>${titles[key] ?? words.title}</span><status-pill src="${BASE}/${key}" compact></status-pill>
            </a>`,
        ),
        answer:
          words === english
            ? html`This waits for <a href="#release" data-progress-session="release">the release of 2.4</a>, which is on its way.`
            : undefined,
      })}
    </div>
    <progress-peek
      for="application"
      base=${BASE}
      ${ref((peek) => shown && showing(peek, `[data-progress-session="${shown}"]`, document))}
    ></progress-peek>`;
}
const one = (parts: Parts = {}) => ({ render: () => draw(parts) });
/** Around one reference, in a text. */
const inText = (key: string, style = '') => ({
  render: () => {
    return html`<p style="margin:0;padding:1rem;font:1rem/1.6 var(--page-font, system-ui);${style}">
      This waits for
      <progress-peek src="${BASE}/${key}" ${ref((peek) => showing(peek, 'a'))}><a href="#there">the other session</a></progress-peek>
      and goes on then.
    </p>`;
  },
});

/** Rest the pointer on a session, go there by Tab, or rest a finger on it. One element serves the whole application. */
export const InTheApplication = one();
export const OnARow = { tags: ['picture', 'wide'], ...one({ shown: 'login' }) };
export const WithOperations = one({ shown: 'release' });
export const NeedsYou = one({ shown: 'branches' });
export const Failed = one({ shown: 'import' });
export const Finished = one({ shown: 'docs' });
export const Dark = { render: () => html`<div style="color-scheme:dark">${draw({ shown: 'login' })}</div>` };
export const RightToLeft = one({ shown: 'arabic', keys: ['arabic'], words: arabic, direction: 'rtl' });
export const InAText = { tags: ['picture'], ...inText('login') };
export const Loading = inText('slow');
export const Empty = inText('empty');
export const Unavailable = inText('unknown');
/** Nothing comes: the reader may not read that session. */
export const NoAccess = inText('refused');
export const Narrowest = inText('release', 'inline-size:min(240px,100%);box-sizing:border-box');
