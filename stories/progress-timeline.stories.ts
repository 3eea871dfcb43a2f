import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import { createHistory, createStore } from '@sitrep/client';
import type { SessionView } from '@sitrep/client';
import type { Operation, Run } from '@sitrep/schema';
import { many } from './fixtures/many.ts';
import { ago, now, operation, run, session } from './fixtures/records.ts';
import { drawn, elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';
import { within, wordsOf } from './workshop/within.ts';
import type { Played } from './workshop/within.ts';

export default {
  title: 'Progress timeline',
  ...elementPage('progress-timeline', {
    usage: '<progress-timeline src="/v1/sessions/demo" run="turn-4"></progress-timeline>',
    records: OF_A_SESSION,
  }),
};

const step = (id: string, title: string, from: number, to: number | undefined, over: Partial<Operation> = {}): Operation =>
  operation({
    id,
    run: 'turn-1',
    title,
    activeTitle: title,
    startedAt: ago(from),
    updatedAt: ago(to ?? 1),
    ...(to !== undefined && { state: 'completed', endedAt: ago(to) }),
    ...over,
  });
const turn: readonly Operation[] = [
  step('read', 'Read the route table', 64, 58, { current: 12, total: 12 }),
  step('repair', 'Repair the session owner', 57, 22),
  step('edit', 'Edit src/session/owner.ts', 56, 44, { parent: 'repair' }),
  step('check', 'Type-check', 43, 31, { parent: 'repair', state: 'failed', attempt: 2, error: { message: 'TS2322 in owner.ts' } }),
  step('again', 'Type-check again', 30, 22, { parent: 'repair' }),
  step('flow', 'Run the flow tests', 20, undefined, { fraction: 0.4 }),
  step('browser', 'Wait for a browser', 19, undefined, {
    parent: 'flow',
    state: 'waiting',
    waitingOn: { text: 'a free browser' },
    updatedAt: ago(14),
  }),
  step('push', 'Push the branch', 12, undefined, {
    state: 'blocked',
    updatedAt: ago(9),
    blockedOn: { kind: 'permission', prompt: 'Push to the protected branch?' },
  }),
  step('fetch', 'Fetch the archive', 40, 33, { state: 'cancelled' }),
  (({ startedAt: _none, ...rest }) => rest)(step('deploy', 'Deploy', 2, undefined, { state: 'pending', updatedAt: ago(6) })),
];
const runs: readonly Run[] = [run({ run: 'turn-1', startedAt: ago(65), updatedAt: ago(1) })];
/** What happened as records that can be changed beside the story. */
const one = (operations: readonly Operation[], more: Args = {}) => ({
  args: { heading: 'Fix the login redirect', operations, runs, ...more },
});
const ofSession = (over: Partial<SessionView>) => ({ args: { view: session(over) } });

export const Running = { tags: ['edited', 'picture'], ...one(turn) };
const over = turn.map((each): Operation =>
  each.endedAt === undefined ? { ...each, state: each.state === 'pending' ? 'interrupted' : 'completed', endedAt: ago(1) } : each,
);
export const Finished = { tags: ['picture'], ...one(over, { runs: [{ ...runs[0]!, state: 'completed', endedAt: ago(1) }] }) };
/** An operation of each state, and how the span of each is drawn. */
export const EveryState = one([
  ...turn,
  step('paused', 'Upload the pictures', 30, undefined, { state: 'paused', fraction: 0.3, updatedAt: ago(11) }),
  step('denied', 'Force push', 28, 26, { state: 'denied' }),
  step('interrupted', 'Watch the log', 50, 20, { state: 'interrupted' }),
]);
export const FailedRun = one(over, { runs: [{ ...runs[0]!, state: 'failed', endedAt: ago(1) }] });
export const StoppedRun = one(over, { runs: [{ ...runs[0]!, state: 'cancelled', endedAt: ago(1) }] });
const quick = Array.from({ length: 8 }, (_none, index) =>
  step(`q${index}`, `Lookup ${index + 1}`, 0, 0, { startedAt: now - 900 + index * 90, endedAt: now - 900 + index * 90 + 60 + index * 25 }),
);
export const Milliseconds = one(quick, { runs: [] });

/** As many as the story says: too many to be edited one by one. */
const ofMany = (count: number) => ({
  args: { heading: 'Fix the login redirect', count },
  argTypes: { count: { control: { type: 'number' as const, min: 0, max: 100_000 }, table: { category: 'records of the story' } } },
  render: ({ count: asked, ...args }: Args) => drawn('progress-timeline', { ...args, ...many(Number(asked)) }),
});
export const ManyRuns = ofMany(120);
export const TenThousand = ofMany(10_000);
export const Empty = one([], { runs: [] });
export const Loading = ofSession({ loaded: false, title: undefined });
export const Reconnecting = ofSession({ operations: turn, runs, connection: { state: 'reconnecting', since: ago(12) } });
export const ConnectionLost = ofSession({ operations: turn, runs, connection: { state: 'lost', since: now } });
export const NotReachable = { args: { src: 'data:text/plain,no' } };

/** A session that came event by event, with its history kept. */
function lived({ operations = over, ...args }: Args & { readonly operations?: readonly Operation[] }) {
  const base = { session: 'replay', run: 'turn-1' };
  const events: { readonly at: number; readonly event: object }[] = [];
  const add = (at: number, event: object): void => void events.push({ at, event: { ...base, at, ...event } });
  for (const { id, title, startedAt, endedAt, state, parent, error } of operations) {
    if (startedAt === undefined || endedAt === undefined) continue;
    add(startedAt, { type: 'operation', id, title, parent, state: 'running', startedAt });
    if (id === 'push') {
      add(startedAt + 3000, {
        type: 'operation',
        id,
        state: 'blocked',
        blockedOn: { kind: 'permission', prompt: 'Push to the protected branch?' },
      });
      add(startedAt + 8000, { type: 'operation', id, state: 'running', blockedOn: null });
    }
    add(endedAt, { type: 'operation', id, state, endedAt, error });
  }
  add(ago(65), { type: 'run', state: 'running', startedAt: ago(65) });
  events.sort((a, b) => a.at - b.at);
  const store = createStore({
    history: createHistory(),
    source: {
      open: async (sink, signal) => {
        sink.connection('live');
        events.forEach(({ event }, index) => sink.frame(event, `e:${index + 1}`));
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    },
  });
  return html`<progress-provider .store=${store}>${drawn('progress-timeline', args)}</progress-provider>`;
}
const scrubbed = async ({ canvasElement }: { readonly canvasElement: HTMLElement }): Promise<void> => {
  const timeline = canvasElement.querySelector('progress-timeline')!;
  let slider: HTMLInputElement | null | undefined;
  for (let tries = 0; tries < 200 && !slider; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    slider = timeline.shadowRoot?.querySelector<HTMLInputElement>('[type=range]');
  }
  slider!.value = String(Number(slider!.min) + 9);
  slider!.dispatchEvent(new Event('input', { bubbles: true }));
  await timeline.updateComplete;
};
const history = { ...one(over, { runs: undefined }), render: lived };
export const WithHistory = { tags: ['edited'], ...history };
export const InThePast = { tags: ['picture'], ...history, play: scrubbed };
/** The slider goes back through what happened, and a button to how it is. */
export const BackToLive = {
  tags: ['!autodocs'],
  ...history,
  async play(played: Played) {
    const { canvasElement: canvas } = played;
    const timeline = canvas.querySelector('progress-timeline')!;
    const told: (number | undefined)[] = [];
    timeline.addEventListener('progress-scrub', ({ seq }) => void told.push(seq));
    await scrubbed(played);
    await waitFor(() => expect(timeline.matches(':state(past)')).toBe(true));
    await expect(wordsOf(within(canvas, 'progress-timeline', '[part="then"]'))).toMatch(/^As of /);
    await userEvent.click(within(canvas, 'progress-timeline', '[part="live"]'));
    await waitFor(() => expect(timeline.matches(':state(past)')).toBe(false));
    await expect(told.length).toBe(2);
    await expect(told[0]).toBeGreaterThan(0);
    await expect(told[1]).toBe(undefined);
  },
};
export const Narrow = one(turn, { width: 240 });
export const Medium = one(turn, { width: 560 });
export const Dense = one(turn, { density: 'dense' });
export const Dark = one(turn, { scheme: 'dark' });
export const RightToLeft = one(turn, { lang: 'ar', dir: 'rtl' });
