import { setTimeout as sleep } from 'node:timers/promises';
import { createReporter, currentReporter } from '@sitrep/harness/reporter';
import type { Reporter } from '@sitrep/harness/reporter';
import { createMemorySink } from '@sitrep/harness/sink';
import type { MemorySink } from '@sitrep/harness/sink';
import type { ToolLoopOptions, ToolTable } from '@sitrep/harness/openai';
import type { Id, Operation } from '@sitrep/schema/wire';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Scenario, Through, Absent } from '../record.ts';

/** What a scenario asks of a library: calls at once, the tools behind them, and what they run with. */
export interface Asked {
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  readonly tools: ToolTable;
  readonly options: Pick<ToolLoopOptions, 'approve' | 'signal'> & { readonly sink: MemorySink };
}

/** Runs the calls with a library; answers what it handed on for each, in a few words, or what it rejected with. */
export type RunCalls = (asked: Asked) => Promise<string>;

const one = [{ id: 'call', name: 'job' }];

function told({ sink }: Asked['options']): (id: Id) => Operation | undefined {
  const index = new SessionIndex('s');
  for (const event of sink.events) index.apply(event);
  return (id) => index.find(id, 'turn');
}

function words(operation: Operation | undefined): string {
  if (operation === undefined) return 'nothing';
  const { state, current, total, reason, error } = operation;
  const amount = current === undefined ? '' : total === undefined ? `, ${current}` : `, ${current} of ${total}`;
  const why = error?.message ?? reason;
  return `${state}${why === undefined ? '' : ` (${why})`}${amount}`;
}

/** Puts a library's tool loop through the scenarios of every peer. `denies` is what its calls are refused by. */
export async function throughLoop(
  came: (scenario: Scenario, row: Through | Absent) => void,
  run: RunCalls,
  denied: { readonly sent: string; readonly asked: (asked: Asked) => Asked },
): Promise<void> {
  const ask = (tools: ToolTable, more: Partial<Asked['options']> = {}, calls: Asked['calls'] = one): Asked => ({
    calls,
    tools,
    options: { sink: createMemorySink(), ...more },
  });

  const burst = ask({
    job() {
      for (let current = 1; current <= 4; current += 1) currentReporter()?.update({ current, total: 4 });
      return '4 files';
    },
  });
  came('burst', { sent: 'four amounts and the answer, none awaited', peer: await run(burst), ours: words(told(burst.options)('call')) });

  let reporter: Reporter | undefined;
  const late = ask({
    job() {
      reporter = currentReporter();
      return 'done';
    },
  });
  const lateAnswer = await run(late);
  const answers = [reporter?.update({ current: 9 }), reporter?.fail('late')];
  came('late', {
    sent: 'the answer, then an amount and a failure',
    peer: lateAnswer,
    ours: `${words(told(late.options)('call'))}; both told to be ${[...new Set(answers)].join(' and ')}`,
  });

  const amounts = ask({
    job() {
      for (const current of [20, 20, 80, 40]) currentReporter()?.update({ current, total: 100 });
      throw new Error('disk full');
    },
  });
  came('amounts', { sent: '20, 20, 80, 40 of 100, then an error', peer: await run(amounts), ours: words(told(amounts.options)('call')) });

  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const concurrent = ask(
    {
      async job(_input: unknown, { callId }) {
        currentReporter()?.update({ message: callId });
        if (callId === 'same-b') {
          open();
          return 'second';
        }
        await gate;
        throw new Error('first');
      },
    },
    {},
    [
      { id: 'same-a', name: 'job' },
      { id: 'same-b', name: 'job' },
    ],
  );
  const both = await run(concurrent);
  const [a, b] = ['same-a', 'same-b'].map(told(concurrent.options));
  came('concurrent', {
    sent: 'two calls of one tool, the second answered, then the first failed',
    peer: both,
    ours: `same-a ${words(a)}, "${a?.message}"; same-b ${words(b)}, "${b?.message}"`,
  });

  const nested = ask({
    async job() {
      const common = { sink: nested.options.sink, session: 's', throttleMs: 0 };
      await createReporter({ ...common, id: 'middle' }).track(async () => {
        await sleep(1);
        await createReporter({ ...common, id: 'inner' })
          .track(() => Promise.reject(new Error('no match')))
          .catch(() => undefined);
      });
      return 'outer';
    },
  });
  const outer = await run(nested);
  const find = told(nested.options);
  came('nested', {
    sent: 'a call, work in it, and work in that, which failed',
    peer: outer,
    ours: `inner ${words(find('inner'))} in ${find('inner')?.parent}, ${words(find('middle'))} in ${find('middle')?.parent}, ${words(find('call'))}`,
  });

  const abort = new AbortController();
  const cancel = ask(
    {
      async job() {
        await Promise.resolve();
        abort.abort(new Error('stopped'));
        await sleep(1);
        currentReporter()?.complete();
        return 'finished all the same';
      },
    },
    { signal: abort.signal },
  );
  came('cancel-completed', {
    sent: 'an abort while the tool runs, which finishes',
    peer: await run(cancel),
    ours: words(told(cancel.options)('call')),
  });

  const refused = denied.asked(ask({ job: () => 'never' }));
  came('denied', { sent: denied.sent, peer: await run(refused), ours: words(told(refused.options)('call')) });

  came('unknown-state', { none: 'a call of a tool has no states of the library’s own' });

  const silence = ask({ job: () => 'an answer' });
  came('silence', { sent: 'an answer and nothing else', peer: await run(silence), ours: words(told(silence.options)('call')) });

  for (const scenario of ['resume-cursor', 'resume-none'] as const)
    came(scenario, { none: 'a tool runs in the process of its loop; nothing is resumed' });
}
