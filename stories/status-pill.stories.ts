import { html } from 'lit';
import { OPERATION_STATES } from '@sitrep/schema';
import type { Operation, Run } from '@sitrep/schema';
import type { SessionView } from '@sitrep/client';
import { ago, card, now, operation, plan, run, session } from './fixtures/records.ts';
import { states as of } from './fixtures/states.ts';
import { elementPage, OF_A_SESSION } from './workshop/element.ts';

export default {
  title: 'Status pill',
  ...elementPage('status-pill', {
    usage: '<status-pill state="running"></status-pill>\n<status-pill src="/v1/sessions/demo" summary></status-pill>',
    records: OF_A_SESSION,
  }),
};

const derived = ['connecting', 'quiet', 'stale', 'reconnecting', 'lost'] as const;
const sums = ['working', 'waiting', 'needs-you', 'idle', 'done', 'failed'] as const;
/** The code of these is what they draw: attributes alone say it all. */
const asHtml = { parameters: { docs: { source: { type: 'dynamic' } } } };
const row = (content: unknown) => html`<p style="display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 .75rem">${content}</p>`;
const pills = (names: readonly string[]) => row(names.map((state) => html`<status-pill state=${state}></status-pill>`));

export const Every = {
  ...asHtml,
  tags: ['picture'],
  render: () => html`${pills(OPERATION_STATES)}${pills(derived)}${pills(sums)}`,
};

const one = (record: Operation, more: object = {}) => ({ args: { operation: record, ...more } });
export const Pending = one(of.pending);
export const Running = one(of.running);
export const Waiting = one(of.waiting);
export const Blocked = one(of.blocked);
export const Paused = one(of.paused);
export const Completed = one(of.completed);
export const Failed = one(of.failed);
export const Cancelled = one(of.cancelled);
export const Denied = one(of.denied);
export const Interrupted = one(of.interrupted);
/** Nothing was heard of it for a while. */
export const Quiet = one(operation({ updatedAt: ago(90) }));
export const Reconnecting = one(of.running, { connection: { state: 'reconnecting', since: ago(12) } });
export const ConnectionLost = one(of.running, { connection: { state: 'lost', since: ago(95) } });

export const Summary = {
  tags: ['edited', 'picture'],
  args: { summary: true, operation: operation({ current: 42, total: 100, unit: 'files' }) },
};
export const SummaryOfACount = one(operation({ activeTitle: 'Downloading', current: 8 * 1024 * 1024, unit: 'bytes' }), { summary: true });
export const Compact = {
  ...asHtml,
  tags: ['picture'],
  render: () => row([...OPERATION_STATES, ...derived].map((state) => html`<status-pill compact state=${state}></status-pill>`)),
};
export const Narrow = one(operation({ activeTitle: 'Regenerating every fixture of the integration suite', fraction: 0.42 }), {
  summary: true,
  width: 240,
});
export const RightToLeft = one(operation({ activeTitle: 'بناء المشروع', current: 42, total: 100 }), {
  summary: true,
  lang: 'ar',
  dir: 'rtl',
});
export const Dark = {
  ...asHtml,
  render: () => html`<div class="dark">${pills(OPERATION_STATES)}${pills(derived)}</div>`,
};

export const OfARun = {
  tags: ['picture'],
  render: () =>
    row(
      (['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const).map(
        (state) => html`<status-pill .run=${run({ state })}></status-pill>`,
      ),
    ),
};
const ofRun = (over: Partial<Run> = {}) => ({ args: { run: run({ updatedAt: ago(4), ...over }) } });
export const RunRunning = ofRun();
export const RunCompleted = ofRun({ state: 'completed', endedAt: ago(4) });
export const RunFailed = ofRun({ state: 'failed', endedAt: ago(4) });
export const RunCancelled = ofRun({ state: 'cancelled', endedAt: ago(4) });
export const RunInterrupted = ofRun({ state: 'interrupted', endedAt: ago(4) });

const inTurn = (over: Partial<Operation> = {}) => [operation({ run: 'turn-1', ...over })];
const ofSession = (over: Partial<SessionView>) => ({
  args: { summary: true, view: session({ runs: [run({ updatedAt: ago(4) })], ...over }) },
});
export const SessionWorking = { tags: ['edited'], ...ofSession({ operations: inTurn({ current: 42, total: 100, unit: 'files' }) }) };
/** An agent at its turn is at work, whatever it waits for: only outside of one a session waits. */
export const SessionWaiting = ofSession({ runs: [], operations: [of.waiting] });
export const SessionNeedsYou = ofSession({
  operations: inTurn({ state: 'blocked', blockedOn: { kind: 'permission', prompt: 'Delete 14 merged branches?' } }),
});
export const SessionDone = ofSession({ card: card({ plan }), runs: [run({ state: 'completed', endedAt: ago(4) })] });
export const SessionFailed = ofSession({ runs: [run({ state: 'failed', endedAt: ago(4) })] });
export const SessionCancelled = ofSession({ runs: [run({ state: 'cancelled', endedAt: ago(4) })] });
export const SessionInterrupted = ofSession({ runs: [run({ state: 'interrupted', endedAt: ago(4) })] });
export const SessionIdle = ofSession({ runs: [] });
export const SessionStale = ofSession({ runs: [run({ updatedAt: ago(4000) })], operations: inTurn({ updatedAt: ago(4000) }) });
export const SessionConnecting = ofSession({ loaded: false, runs: [], title: undefined, connection: { state: 'connecting', since: now } });
export const SessionReconnecting = ofSession({ operations: inTurn(), connection: { state: 'reconnecting', since: ago(12) } });
export const SessionLost = ofSession({ operations: inTurn(), connection: { state: 'lost', since: ago(95) } });

export const CompactWhereNarrow = {
  render: () =>
    html`<div style="inline-size:min(20rem,100%)"><status-pill compact="auto" state="running"></status-pill></div>
      <div style="inline-size:4rem"><status-pill compact="auto" state="running"></status-pill></div>`,
};
export const Nothing = { render: () => html`<p>Nothing to say: <status-pill></status-pill></p>` };
