import { html } from 'lit';
import type { ProgressMoveRequestEvent, ProgressUnpinRequestEvent } from '@sitrep/elements';
import type { ProgressBoard } from '@sitrep/elements';
import { team } from './fixtures/board.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import type { Served } from './fixtures/gateway.ts';
import { ago, card, now, operation, plan, run, session, still } from './fixtures/records.ts';
import { drawn, elementPage } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

/** What a page does with the requests of its reader. */
const moved = (event: ProgressMoveRequestEvent): void => void ((event.target as ProgressBoard).sessions = event.order);
const unpinned = (event: ProgressUnpinRequestEvent): void => {
  const board = event.target as ProgressBoard;
  board.sessions = board.sessions?.filter((one) => one !== event.session);
};

/** The gateway of the page serves what the story says; moving and unpinning are requests, and the page answers them. */
const draw = ({ served, ...args }: Args & { readonly served?: Served }) => {
  if (served) serve(served);
  return html`<div @progress-move-request=${moved} @progress-unpin-request=${unpinned}>
    ${drawn('progress-board', served ? { src: BASE, ...args } : args)}
  </div>`;
};

export default {
  title: 'Progress board',
  ...elementPage('progress-board', {
    usage: '<progress-board src="/v1/sessions" sessions="release login" href="/chats/{session}" editable></progress-board>',
    draw,
    records: { served: 'What the gateway of the story serves, by key: a session, or “denied”, “unreachable”, “loading”.' },
  }),
};

/** Sessions as records that can be changed beside the story: those that are pinned, and what the gateway says of each. */
const one = (more: Args = {}, served: Served = team) => ({ args: { served, sessions: Object.keys(served), ...more } });
const linked = { href: '#/chats/{session}' };

export const Pinned = one(linked);
export const Editable = { tags: ['edited', 'picture', 'wide'], ...one({ ...linked, heading: 'My agents', editable: true }) };

/** All the gateway lists, each staying where it was first shown. */
export const AllOfAGateway = one({ sessions: undefined });

const turn = { run: 'turn-1' };
const of = (title: string, state: 'running' | 'completed' | 'failed' | 'cancelled' | 'interrupted', over: object = {}) =>
  session({
    title,
    usage: undefined,
    card: card({ plan }, turn),
    runs: [run({ state, updatedAt: ago(4), ...(state !== 'running' && { endedAt: ago(60) }) })],
    ...over,
  });
/** A session in each state it can have, and one of each that cannot be shown. */
export const EveryState = one(
  {},
  {
    working: of('Working', 'running'),
    waiting: session({
      title: 'Waiting',
      usage: undefined,
      operations: [operation({ state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } })],
    }),
    'needs-you': team['agent:main:release']!,
    done: of('Done', 'completed'),
    failed: of('Failed', 'failed'),
    cancelled: of('Cancelled', 'cancelled'),
    interrupted: of('Interrupted', 'interrupted'),
    stale: of('Out of date', 'running', {
      card: card({ plan }, { updatedAt: ago(4000) }),
      runs: [run({ startedAt: ago(5000), updatedAt: ago(4000) })],
    }),
    idle: session({ title: 'Idle', usage: undefined }),
    secret: 'denied',
    down: 'unreachable',
    slow: 'loading',
  },
);

/** What cannot be shown keeps its place. */
export const WithTrouble = {
  tags: ['picture'],
  ...one(
    { editable: true },
    {
      'agent:main:login': team['agent:main:login']!,
      secret: 'denied',
      down: 'unreachable',
      slow: 'loading',
      'agent:main:fresh': team['agent:main:fresh']!,
    },
  ),
};

/** Widgets of the page's own, each within a provider of its own. */
export const OwnWidgets = {
  args: { heading: 'Two stores', views: Object.values(team).slice(0, 2) },
  argTypes: { views: { control: 'object' as const, table: { category: 'records of the story' } } },
  render: ({ views, ...args }: Args & { readonly views: readonly (typeof team)[string][] }) =>
    drawn(
      'progress-board',
      args,
      views.map((view) => html`<progress-provider .store=${still(view)}><progress-widget></progress-widget></progress-provider>`),
    ),
};

export const Empty = { tags: ['picture'], args: { sessions: [] } };
export const ListUnreachable = { args: { src: 'data:text/plain,nothing' } };

/** Thirty sessions at once: those in view are read, the others are counted. */
export const ThirtySessions = one(
  {},
  Object.fromEntries(
    Array.from({ length: 30 }, (_none, index) => [
      `many-${index + 1}`,
      session({
        title: `Task ${index + 1}`,
        usage: undefined,
        runs: [run()],
        operations: [operation({ id: 'o', run: 'turn-1', current: index + 1, total: 30, unit: 'files' })],
      }),
    ]),
  ),
);

export const Narrow = one({ ...linked, editable: true, sessions: Object.keys(team).slice(0, 3), width: 240 });
export const Dense = one({ ...linked, density: 'dense' });
export const Dark = one({ ...linked, scheme: 'dark' });
export const RightToLeft = one({ ...linked, editable: true, lang: 'ar', dir: 'rtl' });
