import { html } from 'lit';
import type { Operation } from '@sitrep/schema';
import { ago, operation } from './fixtures/records.ts';
import { states } from './fixtures/states.ts';
import { elementPage, OF_A_SESSION } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

export default {
  title: 'Tool progress',
  ...elementPage('tool-progress', {
    usage: '<tool-progress src="/v1/sessions/demo" operation-id="build" actions="cancel retry"></tool-progress>',
    records: OF_A_SESSION,
  }),
};

/** A state as a record that can be changed beside the story. */
const of = (shown: Operation, more: Args = {}) => ({ args: { operation: shown, ...more } });
const one = (over: Partial<Operation> = {}, more: Args = {}) => of(operation(over), more);
const node = (over: Partial<Operation>, nested: readonly unknown[] = []) => ({ operation: operation(over), nested });

export const Running = { tags: ['picture'], ...of(states.running) };
export const RunningOpen = {
  tags: ['picture'],
  ...one(
    {
      message: 'Compiling source files…',
      current: 42,
      total: 100,
      unit: 'files',
      tool: { name: 'build', origin: 'mcp', server: 'workshop' },
      usage: { label: '3.1K tok' },
    },
    { open: true },
  ),
};
export const Indeterminate = { tags: ['picture'], ...one({ message: 'Waiting on tsc' }) };
export const CountOnly = { tags: ['picture'], ...one({ activeTitle: 'Searching', message: 'src/server', current: 1284, unit: 'files' }) };
export const Bytes = one({ activeTitle: 'Downloading', current: 8 * 1024 * 1024, unit: 'bytes' });
export const BytesOfTotal = one({ activeTitle: 'Downloading', current: 8.3 * 1024 * 1024, total: 25 * 1024 * 1024, unit: 'bytes' });
export const Fraction = one({ activeTitle: 'Indexing', fraction: 0.65 });
export const Finishing = one({ current: 100, total: 100, unit: 'files' });
export const OverFull = one({ current: 241, total: 5, unit: 'files' });
export const Quiet = { tags: ['picture'], ...one({ current: 42, total: 100, startedAt: ago(200), updatedAt: ago(130) }) };
export const Stalled = {
  tags: ['picture'],
  ...one({ current: 42, total: 100, reason: 'stalled', startedAt: ago(520), updatedAt: ago(400) }),
};
export const Pending = { tags: ['picture'], ...of(states.pending) };
export const WaitingOnAMachine = { tags: ['picture'], ...of(states.waiting) };
export const BlockedOnAPerson = { tags: ['edited', 'picture'], ...of(states.blocked) };
export const BlockedOnAQuestion = one({
  state: 'blocked',
  title: 'Merge the schemas',
  activeTitle: 'Merging the schemas',
  blockedOn: { kind: 'question', prompt: 'Which of the two schemas is right?' },
});
export const BlockedOnASignIn = one({
  state: 'blocked',
  title: 'Open the issue tracker',
  activeTitle: 'Opening the issue tracker',
  blockedOn: { kind: 'auth', prompt: 'Sign in at the tracker to go on.' },
});
export const Paused = { tags: ['picture'], ...of(states.paused) };
export const Completed = { tags: ['picture'], ...of(states.completed) };
export const CompletedWithoutNumbers = one({ state: 'completed', endedAt: ago(2) });
export const Failed = { tags: ['picture'], ...of(states.failed) };
export const Cancelled = { tags: ['picture'], ...of(states.cancelled) };
export const Denied = { tags: ['picture'], ...of(states.denied) };
export const Interrupted = { tags: ['picture'], ...of(states.interrupted) };
export const ProducerLost = one({ state: 'interrupted', current: 42, total: 100, endedAt: ago(2), reason: 'producer_lost' });
export const SecondAttempt = one({ attempt: 2, current: 42, total: 100 });
export const SecondOfThreeAttempts = one({ attempt: 2, current: 42, total: 100 }, { attempts: 3 });
export const Reconnecting = one({ current: 42, total: 100 }, { connection: { state: 'reconnecting', since: ago(12) } });
export const ConnectionLost = {
  tags: ['picture'],
  render: () => html`
    <tool-progress
      .operation=${operation({ current: 42, total: 100 })}
      .connection=${{ state: 'reconnecting', since: ago(12) }}
    ></tool-progress
    ><br />
    <tool-progress .operation=${operation({ current: 42, total: 100 })} .connection=${{ state: 'lost', since: ago(95) }}></tool-progress>
  `,
};
/** Amounts that come at a steady pace: after a few of them there is a rate, and a time left. */
export const Pace = {
  render: () => {
    const element = document.createElement('tool-progress');
    const begun = Date.now();
    const show = (): void => {
      const current = ((Date.now() - begun) / 1000) * 3.2 * 1024 * 1024;
      element.operation = operation({
        activeTitle: 'Downloading',
        startedAt: begun,
        updatedAt: Date.now(),
        current,
        total: 256 * 1024 * 1024,
        unit: 'bytes',
      });
    };
    show();
    const timer = setInterval(() => (element.isConnected ? show() : clearInterval(timer)), 400);
    return element;
  },
};
export const Dismissible = one({ state: 'cancelled', endedAt: ago(2) }, { actions: 'retry dismiss' });
export const LongError = one({
  state: 'failed',
  endedAt: ago(2),
  error: { message: `The tests failed:\n${'  expected 200, got 302 at /login\n'.repeat(8)}`, code: 'E_TEST' },
});
export const CanBeCancelled = one({ cancellable: true, fraction: 0.3 }, { actions: 'cancel retry' });
export const Cancelling = one({ cancellable: true, cancelRequested: true, fraction: 0.3 }, { actions: 'cancel retry' });
export const CanBeRetried = one({ state: 'failed', endedAt: ago(1), error: { message: 'Disk full.' } }, { actions: 'cancel retry' });
export const Cancellable = {
  tags: ['picture'],
  render: () => html`
    <tool-progress actions="cancel retry" .operation=${operation({ cancellable: true, fraction: 0.3 })}></tool-progress>
    <br />
    <tool-progress
      actions="cancel retry"
      .operation=${operation({ cancellable: true, cancelRequested: true, fraction: 0.3 })}
    ></tool-progress>
    <br />
    <tool-progress
      actions="cancel retry"
      .operation=${operation({ state: 'failed', endedAt: ago(1), error: { message: 'Disk full.' } })}
    ></tool-progress>
  `,
};
export const ClosedParent = one(
  { activeTitle: 'Checking the checkout' },
  {
    nested: [
      node({ id: 'a', title: 'List the files', state: 'completed', endedAt: ago(20) }),
      node({ id: 'b', activeTitle: 'Hash the files', fraction: 0.35 }),
    ],
  },
);
export const ErrorCodeWithinTheMessage = one({
  state: 'failed',
  endedAt: ago(2),
  error: { message: 'connect ECONNREFUSED 127.0.0.1:4', code: 'ECONNREFUSED' },
});
export const Nested = {
  tags: ['picture'],
  ...one(
    { title: 'Release 2.4', activeTitle: 'Releasing 2.4', current: 1, total: 3, unit: 'stages' },
    {
      open: true,
      nested: [
        node({ id: 'a', title: 'Compile', state: 'completed', current: 40, total: 40, unit: 'files', endedAt: ago(20) }),
        node({ id: 'b', activeTitle: 'Testing', fraction: 0.5 }, [
          node({ id: 'c', title: 'Unit tests', state: 'completed', endedAt: ago(4) }),
          node({ id: 'd', title: 'Flow tests', state: 'failed', endedAt: ago(1), error: { message: 'Expected 200, got 302.' } }, [
            node({ id: 'e', title: 'Sign in', state: 'failed', endedAt: ago(1), error: { message: 'Redirected to /login.', code: '302' } }),
          ]),
        ]),
      ],
    },
  ),
};
const longTitle =
  'Regenerate every fixture of the integration suite and compare each of them with the recorded output of the last release '.repeat(3);
export const LongWords = {
  render: () => html`
    <tool-progress .operation=${operation({ activeTitle: 'x'.repeat(400), message: 'y'.repeat(400), fraction: 0.5 })}></tool-progress><br />
    <tool-progress open .operation=${operation({ activeTitle: longTitle, message: longTitle, fraction: 0.5 })}></tool-progress>
  `,
};
export const Narrow = {
  render: () =>
    html`<div style="inline-size:min(240px,100%)">
      <tool-progress .operation=${operation({ message: 'Compiling source files…', current: 42, total: 100, unit: 'files' })}></tool-progress
      ><br />
      <tool-progress .operation=${operation({ activeTitle: 'x'.repeat(400), message: 'y'.repeat(400), fraction: 0.5 })}></tool-progress
      ><br />
      <tool-progress
        .operation=${operation({ state: 'failed', endedAt: ago(1), error: { message: 'z'.repeat(200), code: 'E_LONG' } })}
      ></tool-progress>
    </div>`,
};
export const RightToLeft = {
  render: () =>
    html`<div dir="rtl" lang="ar">
      <tool-progress
        open
        .operation=${operation({ activeTitle: 'بناء المشروع', message: 'ترجمة الملفات المصدرية', current: 30, total: 100, unit: 'ملف' })}
      ></tool-progress
      ><br />
      <tool-progress .operation=${operation({ activeTitle: 'تنزيل', message: 'package.json' })}></tool-progress>
    </div>`,
};
export const HostileText = one({ activeTitle: '<img src=x onerror=alert(1)>', message: '<script>alert(1)</script>', fraction: 0.2 });
export const Dark = {
  render: () =>
    html`<div style="color-scheme:dark;background:#0f1114;padding:1rem">
      <tool-progress .operation=${operation({ message: 'Compiling source files…', current: 42, total: 100, unit: 'files' })}></tool-progress
      ><br />
      <tool-progress
        .operation=${operation({ state: 'blocked', blockedOn: { kind: 'question', prompt: 'Which of the two schemas is right?' } })}
      ></tool-progress
      ><br />
      <tool-progress
        .operation=${operation({ state: 'failed', fraction: 0.7, endedAt: ago(1), error: { message: 'Disk full.', code: 'ENOSPC' } })}
      ></tool-progress>
    </div>`,
};
