import type { SessionView } from '@sitrep/client';
import { team } from './fixtures/board.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import type { Answer, Served } from './fixtures/gateway.ts';
import { ago, card, now, operation, plan, run, session } from './fixtures/records.ts';
import { drawn, elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

/** The gateway of the page serves what the story says, and tells the widget when that is changed. */
const draw = ({ served, ...args }: Args & { readonly served?: Served }) => {
  if (served) serve(served);
  return drawn('progress-widget', served ? { base: BASE, ...args } : args);
};

export default {
  title: 'Progress widget',
  ...elementPage('progress-widget', {
    usage: '<progress-widget session="release" href="/chats/{session}"></progress-widget>',
    draw,
    records: { served: 'What the gateway of the story serves: a session, or “denied”, “unreachable”, “loading”.', ...OF_A_SESSION },
  }),
};

/** A session that the gateway serves, or why it does not, as records that can be changed beside the story. */
const one = (key: string, answer: Answer | undefined = team[key], more: Args = {}) => ({
  args: { session: key, served: answer === undefined ? {} : { [key]: answer }, ...more },
});
const linked = { href: '#/chats/{session}' };
const turn = { run: 'turn-1' };
const ended = (state: 'cancelled' | 'interrupted') =>
  session({ title: 'Tidy old branches', card: card({ plan }, turn), runs: [run({ state, endedAt: ago(60) })] });

export const Working = { tags: ['edited', 'picture'], ...one('agent:main:login', undefined, linked) };
export const Open = one('agent:main:login', undefined, { ...linked, open: true });
export const Waiting = one(
  'agent:main:deploy',
  session({
    title: 'Deploy 2.4',
    runs: [],
    operations: [operation({ state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } })],
  }),
  linked,
);
export const NeedsYou = { tags: ['picture'], ...one('agent:main:release', undefined, linked) };
export const Failed = { tags: ['picture'], ...one('agent:main:migrate', undefined, linked) };
export const Done = one('agent:main:tests', undefined, linked);
export const Cancelled = one('agent:main:cancelled', ended('cancelled'), linked);
export const Interrupted = one('agent:main:interrupted', ended('interrupted'), linked);
export const OutOfDate = one(
  'agent:main:stale',
  session({
    title: 'Tidy old branches',
    card: card({ plan }, { updatedAt: ago(4000) }),
    runs: [run({ startedAt: ago(5000), updatedAt: ago(4000) })],
  }),
  linked,
);
export const Editable = one('agent:main:login', undefined, { ...linked, editable: true });
export const Empty = one('agent:main:fresh', undefined, linked);
export const Loading = one('slow', 'loading');
export const AccessDenied = { tags: ['picture'], ...one('secret', 'denied', { editable: true }) };
export const Unavailable = one('down', 'unreachable');
export const NoSuchSession = one('nobody');

const around = (over: Partial<SessionView> = {}, more: Args = {}) => ({
  args: { view: session({ ...team['agent:main:login'], ...over }), ...more },
});
/** Without a name it follows the provider around it. */
export const FollowsItsProvider = { tags: ['edited'], ...around() };
export const Reconnecting = around({ connection: { state: 'reconnecting', since: now - 20_000 } });
export const ConnectionLost = around({ connection: { state: 'lost', since: now - 20_000 } });
export const LongTitle = around({ title: 'Find out why '.repeat(20) }, { editable: true });
export const Narrow = one('agent:main:login', undefined, { ...linked, editable: true, width: 240 });
export const Dark = one('agent:main:login', undefined, { ...linked, scheme: 'dark' });
export const Dense = one('agent:main:login', undefined, { ...linked, density: 'dense' });
export const RightToLeft = one('agent:main:login', undefined, { ...linked, editable: true, lang: 'ar', dir: 'rtl' });
