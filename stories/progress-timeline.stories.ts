import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import '@sitrep/elements/define/progress-timeline';
import { createHistory, createStore } from '@sitrep/client';
import type { Operation, Run } from '@sitrep/schema';
import { many } from './fixtures/many.ts';
import { ago, now, operation, run, session, still } from './fixtures/records.ts';
import { about } from './workshop/about.ts';
import { within, wordsOf } from './workshop/within.ts';
import type { Played } from './workshop/within.ts';

export default {
  title: 'Progress timeline',
  component: 'progress-timeline',
  parameters: { ...about('progress-timeline', '<progress-timeline src="/v1/sessions/demo" run="turn-4"></progress-timeline>') },
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
const draw = (operations: readonly Operation[], of: readonly Run[] = runs) =>
  html`<progress-timeline heading="Fix the login redirect" .operations=${operations} .runs=${of}></progress-timeline>`;

export const Running = { tags: ['picture'], render: () => draw(turn) };
const over = turn.map((one): Operation =>
  one.endedAt === undefined ? { ...one, state: one.state === 'pending' ? 'interrupted' : 'completed', endedAt: ago(1) } : one,
);
export const Finished = { tags: ['picture'], render: () => draw(over, [{ ...runs[0]!, state: 'completed', endedAt: ago(1) }]) };
const quick = Array.from({ length: 8 }, (_none, index) =>
  step(`q${index}`, `Lookup ${index + 1}`, 0, 0, { startedAt: now - 900 + index * 90, endedAt: now - 900 + index * 90 + 60 + index * 25 }),
);
export const Milliseconds = { render: () => draw(quick, []) };
const manyRuns = many(120);
export const ManyRuns = { render: () => draw(manyRuns.operations, manyRuns.runs) };
const thousands = many(10_000);
export const TenThousand = { render: () => draw(thousands.operations, thousands.runs) };
export const Empty = { render: () => draw([], []) };
export const Loading = {
  render: () =>
    html`<progress-provider .store=${still(session({ loaded: false, title: undefined }))}
      ><progress-timeline></progress-timeline
    ></progress-provider>`,
};
export const ConnectionLost = {
  render: () =>
    html`<progress-provider .store=${still(session({ operations: turn, runs, connection: { state: 'lost', since: now } }))}
      ><progress-timeline></progress-timeline
    ></progress-provider>`,
};

/** A session that came event by event, with its history kept. */
function lived() {
  const base = { session: 'replay', run: 'turn-1' };
  const events: { readonly at: number; readonly event: object }[] = [];
  const add = (at: number, event: object): void => void events.push({ at, event: { ...base, at, ...event } });
  for (const { id, title, startedAt, endedAt, state, parent, error } of over) {
    if (startedAt === undefined) continue;
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
    add(endedAt!, { type: 'operation', id, state, endedAt, error });
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
  return html`<progress-provider .store=${store}
    ><progress-timeline heading="Fix the login redirect"></progress-timeline
  ></progress-provider>`;
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
export const WithHistory = { render: lived };
export const InThePast = { tags: ['picture'], render: lived, play: scrubbed };
/** The slider goes back through what happened, and a button to how it is. */
export const BackToLive = {
  tags: ['!autodocs'],
  render: lived,
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
export const Narrow = { render: () => html`<div style="inline-size:min(240px,100%)">${draw(turn)}</div>` };
export const Medium = { render: () => html`<div style="inline-size:min(560px,100%)">${draw(turn)}</div>` };
export const RightToLeft = { render: () => html`<div dir="rtl" lang="ar">${draw(turn)}</div>` };
