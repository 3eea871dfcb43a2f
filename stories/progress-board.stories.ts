import { html } from 'lit';
import type { ProgressMoveRequestEvent, ProgressUnpinRequestEvent } from '@sitrep/elements';
import type { ProgressBoard } from '@sitrep/elements';
import '@sitrep/elements/define/progress-board';
import { team } from './fixtures/board.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import { operation, run, session, still } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress board',
  component: 'progress-board',
  parameters: {
    ...about(
      'progress-board',
      '<progress-board src="/v1/sessions" sessions="release login" href="/chats/{session}" editable></progress-board>',
    ),
  },
};

const keys = serve(team);
serve({ secret: 'denied', down: 'unreachable', slow: 'loading' });

/** What a page does with the requests of its reader. */
const moved = (event: ProgressMoveRequestEvent): void => void ((event.currentTarget as ProgressBoard).sessions = event.order);
const unpinned = (event: ProgressUnpinRequestEvent): void => {
  const board = event.currentTarget as ProgressBoard;
  board.sessions = board.sessions?.filter((one) => one !== event.session);
};

export const Pinned = {
  render: () => html`<progress-board src=${BASE} .sessions=${keys} href="#/chats/{session}"></progress-board>`,
};

/** Moving and unpinning are requests; here the page answers them. */
export const Editable = {
  tags: ['picture', 'wide'],
  render: () =>
    html`<progress-board
      src=${BASE}
      heading="My agents"
      editable
      href="#/chats/{session}"
      .sessions=${keys}
      @progress-move-request=${moved}
      @progress-unpin-request=${unpinned}
    ></progress-board>`,
};

/** All the gateway lists, each staying where it was first shown. */
export const AllOfAGateway = { render: () => html`<progress-board src=${BASE}></progress-board>` };

/** What cannot be shown keeps its place. */
export const WithTrouble = {
  tags: ['picture'],
  render: () =>
    html`<progress-board
      src=${BASE}
      editable
      .sessions=${['agent:main:login', 'secret', 'down', 'slow', 'agent:main:fresh']}
    ></progress-board>`,
};

/** Widgets of the page's own, each within a provider of its own. */
export const OwnWidgets = {
  render: () =>
    html`<progress-board heading="Two stores">
      ${Object.values(team)
        .slice(0, 2)
        .map((view) => html`<progress-provider .store=${still(view)}><progress-widget></progress-widget></progress-provider>`)}
    </progress-board>`,
};

export const Empty = { tags: ['picture'], render: () => html`<progress-board .sessions=${[]}></progress-board>` };
export const ListUnreachable = { render: () => html`<progress-board src="data:text/plain,nothing"></progress-board>` };

/** Thirty sessions at once: those in view are read, the others are counted. */
export const ThirtySessions = {
  render: () => {
    const many = Array.from({ length: 30 }, (_, index) => {
      const view = session({
        title: `Task ${index + 1}`,
        usage: undefined,
        runs: [run()],
        operations: [operation({ id: 'o', run: 'turn-1', current: index + 1, total: 30, unit: 'files' })],
      });
      return [`many-${index + 1}`, view] as const;
    });
    return html`<progress-board src=${BASE} .sessions=${serve(Object.fromEntries(many))}></progress-board>`;
  },
};

const page = new CSSStyleSheet();
page.replaceSync('.narrow{inline-size:min(240px,100%)}');
document.adoptedStyleSheets.push(page);
export const Narrow = {
  render: () =>
    html`<div class="narrow">
      <progress-board src=${BASE} editable href="#/chats/{session}" .sessions=${keys.slice(0, 3)}></progress-board>
    </div>`,
};
export const RightToLeft = {
  render: () =>
    html`<div dir="rtl" lang="ar"><progress-board src=${BASE} editable href="#/chats/{session}" .sessions=${keys}></progress-board></div>`,
};
