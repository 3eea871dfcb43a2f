import { html } from 'lit';
import type { Operation } from '@sitrep/schema';
import { ago, now, operation } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Tool progress',
  component: 'tool-progress',
  parameters: {
    ...about('tool-progress', '<tool-progress src="/v1/sessions/demo" operation-id="build" actions="cancel retry"></tool-progress>'),
  },
};

/** A state as a record that can be changed beside the story. */
const one = (over: Partial<Operation> = {}) => ({
  args: { operation: operation(over) },
  render: ({ operation: shown }: { operation: Operation }) => html`<tool-progress .operation=${shown}></tool-progress>`,
});
const node = (over: Partial<Operation>, nested: readonly unknown[] = []) => ({ operation: operation(over), nested });

export const Running = { tags: ['picture'], ...one({ message: 'Compiling source files…', current: 42, total: 100, unit: 'files' }) };
export const RunningOpen = {
  tags: ['picture'],
  render: () =>
    html`<tool-progress
      open
      .operation=${operation({
        message: 'Compiling source files…',
        current: 42,
        total: 100,
        unit: 'files',
        tool: { name: 'build', origin: 'mcp', server: 'workshop' },
        usage: { label: '3.1K tok' },
      })}
    ></tool-progress>`,
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
export const Pending = {
  tags: ['picture'],
  render: () => html`<tool-progress .operation=${withoutStart({ state: 'pending' })}></tool-progress>`,
};
export const WaitingOnAMachine = {
  tags: ['picture'],
  ...one({ state: 'waiting', waitingOn: { text: 'a free build machine', until: now + 95_000 } }),
};
export const BlockedOnAPerson = {
  tags: ['picture'],
  ...one({
    state: 'blocked',
    title: 'Delete old branches',
    activeTitle: 'Deleting old branches',
    blockedOn: { kind: 'permission', prompt: 'Delete 14 branches that were merged more than a year ago?' },
  }),
};
export const Paused = { tags: ['picture'], ...one({ state: 'paused', current: 42, total: 100 }) };
export const Completed = {
  tags: ['picture'],
  ...one({ state: 'completed', current: 100, total: 100, unit: 'files', endedAt: ago(2), message: 'No warnings.' }),
};
export const CompletedWithoutNumbers = one({ state: 'completed', endedAt: ago(2) });
export const Failed = {
  tags: ['picture'],
  ...one({
    state: 'failed',
    current: 42,
    total: 100,
    unit: 'files',
    endedAt: ago(2),
    error: { message: 'src/session/owner.ts(41,7): Type "undefined" is not assignable to type "Session".', code: 'TS2322' },
  }),
};
export const Cancelled = { tags: ['picture'], ...one({ state: 'cancelled', current: 42, total: 100, endedAt: ago(2), reason: 'by_user' }) };
export const Denied = { tags: ['picture'], ...one({ state: 'denied', endedAt: ago(2), reason: 'not_allowed' }) };
export const Interrupted = { tags: ['picture'], ...one({ state: 'interrupted', current: 42, total: 100, endedAt: ago(2) }) };
export const ProducerLost = one({ state: 'interrupted', current: 42, total: 100, endedAt: ago(2), reason: 'producer_lost' });
export const SecondAttempt = {
  render: () =>
    html`<tool-progress .operation=${operation({ attempt: 2, current: 42, total: 100 })}></tool-progress><br />
      <tool-progress attempts="3" .operation=${operation({ attempt: 2, current: 42, total: 100 })}></tool-progress>`,
};
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
export const Dismissible = {
  render: () =>
    html`<tool-progress actions="retry dismiss" .operation=${operation({ state: 'cancelled', endedAt: ago(2) })}></tool-progress>`,
};
export const LongError = one({
  state: 'failed',
  endedAt: ago(2),
  error: { message: `The tests failed:\n${'  expected 200, got 302 at /login\n'.repeat(8)}`, code: 'E_TEST' },
});
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
export const ClosedParent = {
  render: () =>
    html`<tool-progress
      .operation=${operation({ activeTitle: 'Checking the checkout' })}
      .nested=${[node({ id: 'a', title: 'List the files', state: 'completed', endedAt: ago(20) }), node({ id: 'b', activeTitle: 'Hash the files', fraction: 0.35 })]}
    ></tool-progress>`,
};
export const ErrorCodeWithinTheMessage = one({
  state: 'failed',
  endedAt: ago(2),
  error: { message: 'connect ECONNREFUSED 127.0.0.1:4', code: 'ECONNREFUSED' },
});
export const Nested = {
  tags: ['picture'],
  render: () =>
    html`<tool-progress
      open
      .operation=${operation({ title: 'Release 2.4', activeTitle: 'Releasing 2.4', current: 1, total: 3, unit: 'stages' })}
      .nested=${[
        node({ id: 'a', title: 'Compile', state: 'completed', current: 40, total: 40, unit: 'files', endedAt: ago(20) }),
        node({ id: 'b', activeTitle: 'Testing', fraction: 0.5 }, [
          node({ id: 'c', title: 'Unit tests', state: 'completed', endedAt: ago(4) }),
          node({ id: 'd', title: 'Flow tests', state: 'failed', endedAt: ago(1), error: { message: 'Expected 200, got 302.' } }, [
            node({ id: 'e', title: 'Sign in', state: 'failed', endedAt: ago(1), error: { message: 'Redirected to /login.', code: '302' } }),
          ]),
        ]),
      ]}
    ></tool-progress>`,
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

function withoutStart(over: Partial<Operation>): Operation {
  const { startedAt: _startedAt, ...rest } = operation(over);
  return rest;
}
