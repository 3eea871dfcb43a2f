import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createHttpCardWriter, createMemoryCardWriter } from '@sitrep/harness';
import type { CardPutResult, CardWriter } from '@sitrep/harness';
import { createMemorySink } from '@sitrep/harness/sink';
import {
  createReportSeries,
  hasCardRenderer,
  isToolAllowed,
  progressCardNudge,
  progressCardTool,
  progressTool,
  progressTools,
  reportProgressTool,
  visibleTools,
} from '@sitrep/harness/tools';
import type { ToolContext } from '@sitrep/harness/tools';
import { progressCard } from '@sitrep/schema/dialect/progress-card';
import { SessionIndex } from '@sitrep/schema/reduce';
import { percent } from '@sitrep/schema/select';
import { ManualClock, settle } from './support/manual-clock.ts';

function setup(context: Partial<ToolContext> = {}) {
  const sink = createMemorySink();
  const cards = createMemoryCardWriter({ sink });
  const operations = () => {
    const index = new SessionIndex('s');
    for (const event of sink.events) index.apply(event);
    return [...index.operations.values()];
  };
  return { sink, cards, operations, context: { session: 's', run: 'r', callId: 'call-1', sink, cards, ...context } satisfies ToolContext };
}
const report = { title: 'Building project', current: 42, total: 100 };
const steps = (...statuses: readonly string[]) => statuses.map((status, index) => ({ step: `Step ${index + 1}`, status }));
const issues = (answer: { structured: unknown }) =>
  (answer.structured as { error: { issues: { path: string; code: string; message: string }[] } }).error.issues;

describe('report_progress', () => {
  it('reports on the operation named by the call id and answers shortly', async () => {
    const { context, operations } = setup();
    const answer = await reportProgressTool.handle({ ...report, message: 'Compiling' }, context);
    assert.deepEqual(answer, {
      text: 'Progress reported (42 of 100, running)',
      structured: { id: 'call-1', state: 'running' },
      isError: false,
    });
    const [operation] = operations();
    assert.deepEqual(
      [operation?.id, operation?.run, operation?.state, operation?.title, operation?.message],
      ['call-1', 'r', 'running', 'Building project', 'Compiling'],
    );
    assert.equal(operation && percent(operation), 42);
  });

  it('updates the same operation for the same call id and ends it once', async () => {
    const { context, operations } = setup();
    for (const input of [report, { ...report, current: 100, status: 'completed' }, { ...report, current: 1 }])
      await reportProgressTool.handle(input, context);
    const [operation, ...others] = operations();
    assert.equal(others.length, 0);
    assert.deepEqual([operation?.state, operation?.current], ['completed', 100]);
  });

  it('makes two operations of two calls, same title or not, and never groups by title', async () => {
    const { context, operations } = setup();
    await reportProgressTool.handle(report, context);
    await reportProgressTool.handle(report, { ...context, callId: 'call-2' });
    await reportProgressTool.handle(report, { ...context, callId: undefined });
    assert.equal(operations().length, 3);
  });

  it('gathers successive calls into one operation of a series until it ends, then begins another', async () => {
    const series = createReportSeries();
    const { context, operations } = setup({ series });
    let call = 0;
    for (const input of [{ current: 5 }, { current: 50, title: 'Linking' }, { current: 100, status: 'completed' }, { current: 1 }]) {
      call += 1;
      await reportProgressTool.handle({ ...report, ...input }, { ...context, callId: `call-${call}` });
    }
    assert.deepEqual(
      operations().map(({ state, current, title }) => [state, current, title]),
      [
        ['completed', 100, 'Building project'],
        ['running', 1, 'Building project'],
      ],
    );
  });

  it('reports on the operation the host names above all, and under its parent', async () => {
    const { context, operations } = setup({ operationId: 7, series: createReportSeries(), parent: 'turn' });
    await reportProgressTool.handle(report, context);
    assert.deepEqual(
      operations().map(({ id, parent }) => [id, parent]),
      [[7, 'turn']],
    );
  });

  it('keeps what failed work had reached', async () => {
    const { context, operations } = setup();
    await reportProgressTool.handle({ ...report, current: 30, status: 'failed', message: 'No space left' }, context);
    assert.deepEqual(
      operations().map(({ state, current, message }) => [state, current, message]),
      [['failed', 30, 'No space left']],
    );
  });

  it('reads a number written as text, and nothing that only looks like one', async () => {
    const { context, operations } = setup();
    await reportProgressTool.handle({ ...report, current: '42', total: '1e2' }, context);
    assert.deepEqual([operations()[0]?.current, operations()[0]?.total], [42, 100]);
    for (const total of ['', ' ', ' 42', '42 ', '0x10', 'Infinity', 'NaN', '1_000', '1,5', '1e999', '100%', '٤٢', '1'.repeat(41)]) {
      const answer = await reportProgressTool.handle({ ...report, total }, context);
      assert.equal(answer.isError, true, JSON.stringify(total));
      assert.equal(issues(answer)[0]?.path, '/total');
    }
  });

  for (const [name, input, path, words] of [
    ['a total of 0', { ...report, total: 0 }, '/total', /total must be .*greater than 0/],
    ['a total that is not finite', { ...report, total: Number.NaN }, '/total', /total must be .*finite/],
    ['a blank title', { ...report, title: '  ' }, '/title', /title must hold something/],
    ['a title of 121 characters', { ...report, title: 'x'.repeat(121) }, '/title', /title must be .*120.*121 characters/],
    ['a message of 501 characters', { ...report, message: '🧪'.repeat(501) }, '/message', /message must be .*500.*501 characters/],
    ['no total', { title: 'x', current: 1 }, '/total', /total is missing/],
    ['an unknown status', { ...report, status: 'paused' }, '/status', /status must be one of running, completed, failed/],
    ['an unknown key', { ...report, totl: 5 }, '/totl', /totl/],
    ['an array', [report], '', /an array of 1 item/],
    ['null', null, '', /null/],
  ] as const) {
    it(`refuses ${name} with the field, the rule and what was sent, and reports nothing`, async () => {
      const { context, sink } = setup();
      const answer = await reportProgressTool.handle(input, context);
      assert.equal(answer.isError, true);
      assert.match(answer.text, words);
      assert.match(answer.text, /^report_progress refused the input; nothing was changed\./);
      assert.equal(issues(answer)[0]?.path, path);
      assert.equal(sink.events.length, 0);
    });
  }

  it('never repeats what was sent in a refusal', async () => {
    const { context } = setup();
    const answer = await reportProgressTool.handle({ ...report, title: 'secret '.repeat(50) }, context);
    assert.doesNotMatch(JSON.stringify(answer), /secret/);
  });
});

describe('progress', () => {
  it('names the operation by its id and updates it in place', async () => {
    const { context, operations } = setup();
    const answer = await progressTool.handle({ id: 'compile-1', status: 'running', title: 'Waiting on tsc', progress: 0.65 }, context);
    assert.deepEqual(answer, { text: 'Progress noted (running)', structured: { id: 'compile-1', state: 'running' }, isError: false });
    await progressTool.handle({ id: 'compile-1', status: 'waiting', detail: '34 s elapsed' }, { ...context, callId: 'call-2' });
    const [operation, ...others] = operations();
    assert.equal(others.length, 0);
    assert.deepEqual(
      [operation?.state, operation?.title, operation?.message, operation?.fraction],
      ['waiting', 'Waiting on tsc', '34 s elapsed', 0.65],
    );
    assert.equal(operation && 'blockedOn' in operation, false);
  });

  it('keeps the same id of two runs apart, and is final once done', async () => {
    const { context, operations } = setup();
    await progressTool.handle({ id: 'compile', status: 'done' }, context);
    await progressTool.handle({ id: 'compile', status: 'running' }, { ...context, run: 'subagent' });
    await progressTool.handle({ id: 'compile', status: 'running' }, context);
    assert.deepEqual(
      operations().map(({ run, state }) => [run, state]),
      [
        ['r', 'completed'],
        ['subagent', 'running'],
      ],
    );
  });

  for (const [name, input, path] of [
    ['1.2', { id: 'a', status: 'running', progress: 1.2 }, '/progress'],
    ['-0.1', { id: 'a', status: 'running', progress: -0.1 }, '/progress'],
    ['NaN', { id: 'a', status: 'running', progress: Number.NaN }, '/progress'],
    ['no id', { status: 'running' }, '/id'],
    ['status failed', { id: 'a', status: 'failed' }, '/status'],
    ['status completed', { id: 'a', status: 'completed' }, '/status'],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const { context, sink } = setup();
      const answer = await progressTool.handle(input, context);
      assert.deepEqual([answer.isError, issues(answer)[0]?.path, sink.events.length], [true, path, 0]);
    });
  }
});

describe('progress_card', () => {
  it('answers the receipts with counts, without a plan, and for a clear, and its revision never falls', async () => {
    const { context, cards } = setup();
    const plan = steps('completed', 'in_progress', 'pending');
    const answers = [];
    for (const input of [{ plan }, { markdown: 'No blocker.' }, {}, { plan, markdown: 'x' }])
      answers.push(await progressCardTool.handle(input, context));
    assert.deepEqual(answers, [
      { text: 'Progress card updated (rev 1, 1/3 done)', structured: { revision: 1, steps: { completed: 1, total: 3 } }, isError: false },
      { text: 'Progress card updated (rev 2)', structured: { revision: 2, steps: null }, isError: false },
      { text: 'Progress card cleared', structured: { revision: 3, steps: null }, isError: false },
      { text: 'Progress card updated (rev 4, 1/3 done)', structured: { revision: 4, steps: { completed: 1, total: 3 } }, isError: false },
    ]);
    assert.deepEqual(cards.get('s').card, { plan, markdown: 'x' });
  });

  it('replaces the whole card, and clears it while a step is in progress', async () => {
    const { context, cards } = setup();
    await progressCardTool.handle({ plan: steps('in_progress'), markdown: 'note' }, context);
    await progressCardTool.handle({ markdown: 'only this' }, context);
    assert.deepEqual(cards.get('s').card, { markdown: 'only this' });
    await progressCardTool.handle({ plan: steps('in_progress') }, context);
    for (const empty of [{}, { plan: [], markdown: ' \n\t' }, { markdown: '\u200b' }]) {
      assert.equal((await progressCardTool.handle(empty, context)).text, 'Progress card cleared');
    }
    assert.equal(cards.get('s').card, null);
  });

  it('clears a card that never was without spending a revision', async () => {
    const { context, cards, sink } = setup();
    assert.deepEqual(await progressCardTool.handle({}, context), {
      text: 'Progress card cleared',
      structured: { revision: 0, steps: null },
      isError: false,
    });
    assert.deepEqual([cards.get('s').revision, sink.events.length], [0, 0]);
  });

  it('refuses two steps in progress and names both', async () => {
    const { context, cards } = setup();
    const plan = [
      { step: 'Inspect the route', status: 'in_progress' },
      { step: 'Rest', status: 'pending' },
      { step: `Repair \u001b[31m${'the owner '.repeat(20)}`, status: 'in_progress' },
    ];
    const answer = await progressCardTool.handle({ plan }, context);
    assert.match(answer.text, /plan\[0\] "Inspect the route" and plan\[2\] "Repair the owner/);
    assert.deepEqual([answer.isError, issues(answer).map(({ code }) => code), cards.get('s').revision], [true, ['in_progress'], 0]);
    assert.ok(answer.text.length < 400);
    assert.ok(!answer.text.includes('\u001b'));
  });

  for (const [name, input, path, words] of [
    ['51 steps', { plan: steps(...Array.from({ length: 51 }, () => 'pending')) }, '/plan', /plan must be .*50 items.*51 items/],
    ['a step of 513 bytes', { plan: [{ step: 'a'.repeat(513), status: 'pending' }] }, '/plan/0/step', /plan\[0\]\.step must be .*512.*513/],
    [
      'a step of 514 bytes in 257 characters',
      { plan: [{ step: 'é'.repeat(257), status: 'pending' }] },
      '/plan/0/step',
      /plan\[0\]\.step must be at most 512 UTF-8 bytes, but has 514/,
    ],
    ['a note of 8193 bytes', { markdown: `${'a'.repeat(8190)}\u200b` }, '/markdown', /markdown must be .*8192.*8193/],
    ['a blank step', { plan: [{ step: '   ', status: 'pending' }] }, '/plan/0/step', /plan\[0\]\.step must hold/],
    [
      'status inProgress',
      { plan: [{ step: 'a', status: 'inProgress' }] },
      '/plan/0/status',
      /plan\[0\]\.status must be one of pending, in_progress, completed/,
    ],
    ['status failed', { plan: [{ step: 'a', status: 'failed' }] }, '/plan/0/status', /plan\[0\]\.status/],
    ['a null note', { markdown: null }, '/markdown', /markdown must be text.*null/],
    ['a plan that is an object', { plan: {} }, '/plan', /plan must be an array.*an object/],
    ['an unknown key', { steps: [] }, '/steps', /steps/],
    ['expectedRevision, which is not the model’s', { expectedRevision: 1 }, '/expectedRevision', /expectedRevision/],
  ] as const) {
    it(`refuses ${name} with the field, the limit and the size, and writes nothing`, async () => {
      const { context, cards } = setup();
      const answer = await progressCardTool.handle(input, context);
      assert.match(answer.text, words);
      assert.deepEqual([answer.isError, issues(answer)[0]?.path, cards.get('s').revision], [true, path, 0]);
    });
  }

  it('takes exactly 50 steps of 512 bytes and a note of 8192 bytes', async () => {
    const { context } = setup();
    const plan = Array.from({ length: 50 }, () => ({ step: 'é'.repeat(256), status: 'completed' }));
    const answer = await progressCardTool.handle({ plan, markdown: 'é'.repeat(4096) }, context);
    assert.equal(answer.text, 'Progress card updated (rev 1, 50/50 done)');
  });

  it('tells readers of plan events beside the card, clears included, and nobody of what was refused', async () => {
    const told: unknown[] = [];
    const { context, cards } = setup();
    const own = { ...context, onPlanEvent: (event: unknown) => told.push(event) };
    const plan = steps('completed', 'in_progress');
    for (const input of [{ plan, markdown: 'No **blocker**.' }, { plan }, { markdown: 'note' }, { plan: [], markdown: ' ' }, { plan: 7 }])
      await progressCardTool.handle(input, own);
    const data = (more: object): unknown => ({ stream: 'plan', data: { phase: 'update', title: 'Progress', source: 'openclaw', ...more } });
    assert.deepEqual(told, [
      data({ steps: plan, explanation: 'No **blocker**.', explanationFormat: 'markdown' }),
      data({ steps: plan }),
      data({ steps: [], explanation: 'note', explanationFormat: 'markdown' }),
      data({ steps: [] }),
    ]);
    const conflict = { put: () => Promise.resolve({ ok: false, code: 'conflict', revision: 9, card: null } as const) };
    await progressCardTool.handle({ plan }, { ...own, cards: conflict });
    assert.equal(told.length, 4);
    // What is told reads back as the card that was written.
    const decoded = progressCard.decode(told[0], { session: 's', at: 0 });
    assert.deepEqual(decoded.ok && decoded.events, [
      { type: 'card', session: 's', revision: 1, at: 0, card: { plan, markdown: 'No **blocker**.' } },
    ]);
    assert.equal(cards.get('s').revision, 4);
  });

  it('survives listeners that reject, without a rejection of its own', async () => {
    const codes: string[] = [];
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const fail = (): Promise<never> => Promise.reject(new Error('own'));
      const { context } = setup({
        onPlanEvent: fail,
        onDiagnostic({ code }) {
          codes.push(code);
          return fail();
        },
      });
      assert.equal((await progressCardTool.handle({ markdown: 'x' }, context)).isError, false);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('unhandledRejection', listen);
    }
    assert.deepEqual([codes, unhandled], [['listener_failed'], []]);
  });

  it('survives a listener for plan events that throws', async () => {
    const { context, cards } = setup();
    const codes: string[] = [];
    const answer = await progressCardTool.handle(
      { markdown: 'x' },
      {
        ...context,
        onDiagnostic: ({ code }) => codes.push(code),
        onPlanEvent: () => {
          throw new Error('x');
        },
      },
    );
    assert.deepEqual([answer.isError, cards.get('s').revision, codes], [false, 1, ['listener_failed']]);
  });

  it('writes in the name of the run', async () => {
    const { context, sink } = setup();
    await progressCardTool.handle({ markdown: 'x' }, context);
    assert.deepEqual([sink.events[0]?.type, sink.events[0] && 'run' in sink.events[0] && sink.events[0].run], ['card', 'r']);
  });

  it('answers in bounded time when the writer hangs, and gives it up', async () => {
    const clock = new ManualClock();
    let given: AbortSignal | undefined;
    const cards: CardWriter = { put: (_, __, options) => ((given = options?.signal), new Promise<CardPutResult>(() => {})) };
    const { context } = setup({ cards, clock });
    const answer = progressCardTool.handle({ markdown: 'x' }, context);
    await settle();
    clock.advance(5000);
    const { isError, structured, text } = await answer;
    assert.deepEqual([isError, structured, given?.aborted], [true, { error: { code: 'unavailable' } }, true]);
    assert.match(text, /not confirmed.*5000 ms/);
    assert.deepEqual(clock.pending, []);
  });

  for (const [name, put, code] of [
    [
      'throws',
      () => {
        throw new Error('x');
      },
      'unavailable',
    ],
    ['rejects', () => Promise.reject(new Error('x')), 'unavailable'],
    [
      'answers nothing that can be read',
      () => Promise.resolve({ ok: true, revision: 1, steps: { completed: 'x' } } as never),
      'unavailable',
    ],
    ['says not why', () => Promise.resolve({ ok: false, code: 'unavailable' } as never), 'unavailable'],
    ['finds a conflict', () => Promise.resolve({ ok: false, code: 'conflict', revision: 9, card: null } as const), 'conflict'],
    ['is unavailable', () => Promise.resolve({ ok: false, code: 'unavailable', message: 'No connection.' } as const), 'unavailable'],
  ] as const) {
    it(`answers a typed refusal when the writer ${name}`, async () => {
      const answer = await progressCardTool.handle({ markdown: 'x' }, setup({ cards: { put } }).context);
      assert.deepEqual([answer.isError, answer.structured], [true, { error: { code } }]);
      assert.doesNotMatch(answer.text, /undefined|object/);
    });
  }
});

describe('the three tools', () => {
  it('have model-facing schemas that are closed and named after the tools', () => {
    for (const [name, tool] of Object.entries(progressTools)) {
      assert.equal(tool.name, name);
      assert.equal(tool.inputSchema['additionalProperties'], false);
      assert.ok(tool.description.length > 40 && tool.description.length < 400);
    }
  });

  it('are shown by ask and allow alike, hidden by off, and still work when called directly', async () => {
    const names = (modes?: Parameters<typeof visibleTools>[0]) => visibleTools(modes).map(({ name }) => name);
    assert.deepEqual(names(), ['report_progress', 'progress', 'progress_card']);
    assert.deepEqual(names({ report_progress: 'off', progress: 'ask', progress_card: 'allow' }), ['progress', 'progress_card']);
    assert.deepEqual(names({ progress: 'never' as 'off' }), ['report_progress', 'progress_card']);
    assert.equal((await progressTools.report_progress.handle(report, setup().context)).isError, false);
  });

  it('answer at once when the sink throws, rejects or hangs', async () => {
    for (const send of [
      () => {
        throw new Error('x');
      },
      () => Promise.reject(new Error('x')),
      () => new Promise(() => {}),
    ]) {
      const { context } = setup({
        sink: { send: send as () => void, flush: () => new Promise(() => {}), close: () => new Promise(() => {}) },
      });
      assert.equal((await reportProgressTool.handle(report, context)).isError, false);
      assert.equal((await progressTool.handle({ id: 'a', status: 'running' }, context)).isError, false);
    }
  });

  it('say so when the host gave them nowhere to write', async () => {
    const inputs = { report_progress: report, progress: { id: 'a', status: 'running' }, progress_card: {} };
    for (const [name, tool] of Object.entries(progressTools)) {
      const answer = await tool.handle(inputs[name as keyof typeof inputs], { session: 's' });
      assert.deepEqual([answer.isError, answer.structured], [true, { error: { code: 'not_connected' } }]);
    }
  });

  it('never reject, whatever the host hands them, and ask nothing of the model that it cannot do', async () => {
    const inputs = { report_progress: report, progress: { id: 'a', status: 'running' }, progress_card: { markdown: 'x' } };
    const fail = (): never => {
      throw new Error('not to be used');
    };
    const unreadable = {
      session: 's',
      get sink() {
        return fail();
      },
      get cards() {
        return fail();
      },
    };
    for (const [name, tool] of Object.entries(progressTools)) {
      const input = inputs[name as keyof typeof inputs];
      const told: string[] = [];
      const onDiagnostic = ({ message }: { message: string }): void => void told.push(message);
      const { context, sink } = setup();
      for (const given of [undefined, unreadable, { ...context, clock: { now: fail, after: fail }, onDiagnostic }]) {
        const { isError, structured, text } = await tool.handle(input, given as never);
        assert.deepEqual([isError, structured], [true, { error: { code: 'unavailable' } }]);
        assert.match(text, new RegExp(`^${name}.* Go on with`));
      }
      if (name === 'progress_card') continue;
      assert.equal(told.length, 1);
      const answer = await tool.handle(input, { ...context, session: '', onDiagnostic });
      assert.deepEqual([answer.isError, answer.structured], [true, { error: { code: 'unavailable' } }]);
      assert.match(told[1] ?? '', new RegExp(`${name}.*session must be text`));
      assert.equal(sink.events.length, 0);
    }
  });

  it('take an empty call id for none', async () => {
    const { context } = setup({ callId: '' });
    const { isError, structured } = await reportProgressTool.handle(report, context);
    assert.equal(isError, false);
    assert.match(String((structured as { id: string }).id), /./);
  });

  it('never reject, whatever the input, and write nothing when they refuse', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.values(progressTools)), fc.anything({ maxDepth: 4 }), async (tool, input) => {
        const { context, sink } = setup();
        const answer = await tool.handle(input, context);
        assert.equal(typeof answer.text, 'string');
        if (answer.isError) assert.equal(sink.events.length, 0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a refusal', () => {
  for (const [name, input, words] of [
    [
      'report_progress',
      { title: 'x', current: 'five', total: '-2' },
      'current must be a finite number, but is text of 4 characters (sent: "five").',
    ],
    [
      'report_progress',
      { title: 'x', current: 1, total: '-2' },
      'total must be a finite number greater than 0, but is out of that range (sent: "-2").',
    ],
    ['report_progress', { title: '  ', current: 1, total: 2 }, '(sent: "  ").'],
    ['report_progress', { title: 'x', current: 1, total: 2, status: 'pau\u001b[31msed' }, '(sent: "paused").'],
    [
      'progress',
      { id: 'a', status: 'finished' },
      'status must be one of running, done, error, waiting, but is another value (sent: "finished").',
    ],
    [
      'progress_card',
      { plan: [{ step: 'a', status: 'doing' }] },
      'plan[0].status must be one of pending, in_progress, completed, but is another value (sent: "doing").',
    ],
    ['progress_card', { markdown: 7 }, '(sent: 7).'],
  ] as const) {
    it(`of ${name} says what was sent: ${words}`, async () => {
      const { text, isError } = await progressTools[name].handle(input, setup().context);
      assert.ok(isError && text.includes(words), text);
    });
  }

  it('repeats nothing of what it has named by its own words', async () => {
    const plan = ['a', 'b'].map((step) => ({ step, status: 'in_progress' }));
    for (const [tool, input] of [
      ['report_progress', { ...report, totl: 5 }],
      ['progress_card', { plan }],
    ] as const)
      assert.doesNotMatch((await progressTools[tool].handle(input, setup().context)).text, /sent:/);
  });

  it('repeats no long text, no object and nothing that throws when it is read', async () => {
    const long = await reportProgressTool.handle({ title: 'x'.repeat(300), current: { a: 1 }, total: [] }, setup().context);
    assert.doesNotMatch(long.text, /sent:/);
    assert.ok(long.text.length < 500);
    const trap = Object.defineProperty({ current: 1, total: 2 }, 'title', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    assert.equal((await reportProgressTool.handle(trap, setup().context)).isError, true);
  });
});

describe('what can draw a card', () => {
  it('is a page or an app, by its platform or its name, and no channel', () => {
    for (const client of [
      { platform: 'web' },
      { platform: 'iOS' },
      { platform: 'android' },
      { platform: 'darwin' },
      { platform: 'macos' },
      { id: 'webchat' },
      { id: 'acme-control-ui' },
      { id: 'acme-ios' },
      { id: 'acme-macos', platform: 'unknown' },
    ])
      assert.equal(hasCardRenderer([{ id: 'whatsapp' }, client]), true, JSON.stringify(client));
    for (const clients of [[], [{}], [{ id: 'whatsapp' }, { id: 'telegram', platform: 'linux' }], [{ id: 'webhook' }, { id: 'biosensor' }]])
      assert.equal(hasCardRenderer(clients), false, JSON.stringify(clients));
  });
});

describe('a tool policy', () => {
  it('takes the card away by updatePlan, by a denial, and by a list it is not on', () => {
    for (const [policy, allowed] of [
      [{}, true],
      [{ updatePlan: true }, true],
      [{ updatePlan: false }, false],
      [{ updatePlan: false, allow: ['progress_card'] }, false],
      [{ deny: ['progress_card'] }, false],
      [{ deny: ['update_plan'] }, false],
      [{ deny: ['*'] }, false],
      [{ deny: ['bash'] }, true],
      [{ allow: [] }, false],
      [{ allow: ['bash'] }, false],
      [{ allow: ['bash', ' Progress_Card '] }, true],
      [{ allow: ['update_plan'] }, true],
      [{ allow: ['*'], deny: ['progress_card'] }, false],
    ] as const)
      assert.equal(isToolAllowed('progress_card', policy), allowed, JSON.stringify(policy));
  });

  it('of a plan says nothing about the other tools', () => {
    assert.equal(isToolAllowed('progress', { updatePlan: false, deny: ['update_plan'] }), true);
    assert.equal(isToolAllowed('report_progress', { deny: ['report_progress'] }), false);
  });

  it('is one of the conditions of the nudge', () => {
    const nudge = (policy: Parameters<typeof isToolAllowed>[1], clients: Parameters<typeof hasCardRenderer>[0]): boolean =>
      progressCardNudge({
        toolAllowed: isToolAllowed('progress_card', policy),
        rendererConnected: hasCardRenderer(clients),
        mainSession: false,
        utilityModel: false,
      }) !== undefined;
    assert.deepEqual(
      [nudge({}, [{ platform: 'web' }]), nudge({ updatePlan: false }, [{ platform: 'web' }]), nudge({}, [{ id: 'whatsapp' }])],
      [true, false, false],
    );
  });
});

describe('the nudge', () => {
  const all = { toolAllowed: true, rendererConnected: true, mainSession: false, utilityModel: false, subagent: false };

  it('is one short text that names the tool', () => {
    const text = progressCardNudge(all) ?? '';
    assert.match(text, /progress_card/);
    assert.ok(text.length < 300);
  });

  for (const key of Object.keys(all) as (keyof typeof all)[]) {
    it(`is left out when only ${key} speaks against it`, () => {
      assert.equal(progressCardNudge({ ...all, [key]: !all[key] }), undefined);
    });
  }
});

describe('a card writer over HTTP', () => {
  const writer = (reply: (url: string, init: RequestInit) => Response | Promise<Response>) =>
    createHttpCardWriter({ url: 'http://gateway/', fetch: async (url, init) => reply(url, init) });

  it('puts the card to its session, with the run beside the closed body', async () => {
    let seen: unknown[] = [];
    const result = await writer((url, init) => {
      seen = [url, init.method, JSON.parse(String(init.body))];
      return Response.json({ revision: 4, steps: { completed: 1, total: 3 }, receipt: 'Progress card updated (rev 4, 1/3 done)' });
    }).put('a/b', { markdown: 'x', expectedRevision: 3, run: 'r 1' });
    assert.deepEqual(seen, ['http://gateway/v1/sessions/a%2Fb/card?run=r%201', 'PUT', { markdown: 'x', expectedRevision: 3 }]);
    assert.deepEqual(result, { ok: true, revision: 4, steps: { completed: 1, total: 3 }, cleared: false });
  });

  for (const [name, reply, expected] of [
    [
      'a clear',
      () => Response.json({ revision: 5, steps: null, receipt: 'Progress card cleared' }),
      { ok: true, revision: 5, steps: null, cleared: true },
    ],
    [
      'a conflict with the current card',
      () => Response.json({ revision: 7, card: { markdown: 'theirs' } }, { status: 409 }),
      { ok: false, code: 'conflict', revision: 7, card: { markdown: 'theirs' } },
    ],
    [
      'issues',
      () => Response.json({ issues: [{ path: '/markdown', code: 'type', message: 'markdown must be text.' }, 7] }, { status: 422 }),
      { ok: false, code: 'invalid', issues: [{ path: '/markdown', code: 'type', message: 'markdown must be text.' }] },
    ],
    [
      'a server fault',
      () => new Response('oops', { status: 503 }),
      { ok: false, code: 'unavailable', message: 'The gateway answered with status 503.' },
    ],
    [
      'a success that says nothing',
      () => new Response(''),
      { ok: false, code: 'unavailable', message: 'The gateway answered without a revision; whether the card was written is not known.' },
    ],
    [
      'a network fault',
      () => Promise.reject(new TypeError('fetch failed')),
      { ok: false, code: 'unavailable', message: 'The gateway could not be reached or did not answer in time.' },
    ],
  ] as const) {
    it(`answers ${name} as data`, async () => {
      assert.deepEqual(await writer(reply).put('s', { markdown: 'x' }), expected);
    });
  }

  it('gives up when it is told to', async () => {
    const abort = new AbortController();
    const answer = writer(() => new Promise(() => {})).put('s', { markdown: 'x' }, { signal: abort.signal });
    abort.abort();
    assert.equal((await answer).ok, false);
  });
});

describe('a card writer in memory', () => {
  it('compares the expected revision and answers a mismatch with the card as it stands', async () => {
    const cards = createMemoryCardWriter();
    await cards.put('s', { markdown: 'first' });
    assert.deepEqual(await cards.put('s', { markdown: 'second', expectedRevision: 0 }), {
      ok: false,
      code: 'conflict',
      revision: 1,
      card: { markdown: 'first' },
    });
    assert.deepEqual(await cards.put('s', { expectedRevision: 1 }), { ok: true, revision: 2, steps: null, cleared: true });
    assert.deepEqual(await cards.put('s', { markdown: 'third', expectedRevision: 2 }), {
      ok: true,
      revision: 3,
      steps: null,
      cleared: false,
    });
    assert.deepEqual(cards.get('other'), { revision: 0, card: null });
  });
});
