import { createMemorySink } from '@sitrep/harness/sink';
import type { Reporter } from '@sitrep/harness/reporter';
import type { OperationEvent } from '@sitrep/schema/wire';

/** What a tool of the test servers is given, whatever SDK serves it. */
export interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly reporter: Reporter;
  /** The `_meta` of the request as the server's SDK handed it over. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Sends a progress notification past the reporter, as any other server would. */
  readonly raw: (progress: number) => Promise<void>;
  /** Cuts the stream the answer would come on, where there is one. */
  readonly cut: () => void;
}

export interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: boolean;
}

export type Tool = (call: ToolCall) => ToolResult | Promise<ToolResult>;

const text = (value: string, isError = false): ToolResult => ({
  content: [{ type: 'text', text: value }],
  ...(isError ? { isError } : {}),
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The tools every test server has, and what they themselves told the server's own sink. */
export function createTools() {
  const sink = createMemorySink();
  const tools: Readonly<Record<string, Tool>> = {
    /** Four updates and the answer in one go. */
    burst({ reporter }) {
      for (let current = 1; current <= 4; current += 1) reporter.update({ current, total: 4, message: `step ${current}` });
      return text('done');
    },
    /** Ends by its label and goes on reporting after its answer, with the reporter and past it. */
    late({ args, reporter, raw }) {
      reporter.update({ current: 1 });
      setTimeout(() => {
        reporter.update({ current: 2 });
        void raw(99).catch(() => {});
      }, 20);
      if (args['label'] === 'denied') reporter.deny('policy');
      if (args['label'] === 'cancelled') reporter.cancel('enough');
      if (args['label'] === 'interrupted') reporter.interrupt('lost');
      if (args['label'] === 'thrown') throw new Error('broke');
      return text('done', args['label'] === 'failed');
    },
    amounts({ reporter }) {
      for (const current of [3, 3, 1, 4]) reporter.update({ current, total: 10 });
      return text('done');
    },
    /** Reports under its own label, so that two of them can be told apart. */
    async pair({ args, reporter }) {
      for (let current = 1; current <= 3; current += 1) {
        reporter.update({ current, total: 3, message: String(args['label']) });
        await pause(10);
      }
      return text(String(args['label']));
    },
    nested({ reporter }) {
      reporter.update({ current: 1, total: 2 });
      const middle = reporter.child({ title: 'Middle' });
      const inner = middle.child({ title: 'Inner' });
      inner.update({ current: 5, total: 9, unit: 'files' });
      inner.fail(new Error('Disk full'));
      middle.complete();
      return text('done');
    },
    /** Reports once, waits to be cancelled, and completes all the same. */
    async stubborn({ args, reporter, signal, raw }) {
      reporter.update({ current: 1 });
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      reporter.complete();
      if (args['label'] === 'late') await raw(99).catch(() => {});
      return text('done anyway');
    },
    denied({ reporter }) {
      reporter.deny('policy', { message: 'Not on a Friday' });
      return text('Not on a Friday', true);
    },
    broken: () => text('No such file', true),
    silent: () => text('done'),
    /** Two thirds, a cut stream, the rest. */
    async cut({ reporter, cut }) {
      reporter.update({ current: 2, total: 3 });
      await pause(30);
      cut();
      await pause(30);
      reporter.update({ current: 3 });
      return text('done');
    },
    /** Takes longer than a client with a short timeout waits, for ever if it is called that, and reports all the while. */
    async slow({ args, reporter, signal }) {
      for (let current = 1; (current <= 10 || args['label'] === 'endless') && !signal.aborted; current += 1) {
        reporter.update({ current: Math.min(current, 10), total: 10 });
        await pause(60);
      }
      return text('done');
    },
    /** Reports the same again and again, until it is cancelled. */
    async ticking({ signal, raw }) {
      for (let tick = 0; tick < 200 && !signal.aborted; tick += 1) {
        await raw(1);
        await pause(20);
      }
      return text('never');
    },
    /** What the request carried. */
    meta: ({ meta }) => text(JSON.stringify(meta)),
    /** States of the newest operation of the named tool, as the server's own sink has them. */
    story({ args }) {
      const events = sink.events as readonly OperationEvent[];
      const last = events.filter(({ title }) => title === args['name']).at(-1);
      const states = events.filter(({ id, state }) => id === last?.id && state !== undefined).map(({ state }) => state);
      return text(JSON.stringify(states));
    },
  };
  return { sink, tools };
}
