import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { EventSchema } from '@ag-ui/core/schemas';
import type { OperationEvent, ProgressEvent, RunEvent } from '@sitrep/schema';
import type { AgUiFrame } from '@sitrep/schema/dialect/ag-ui';
import { direct, read, run, written } from './ag-ui/agent.ts';
import { randomSession } from './random-session.ts';
import { quietly, verified } from './ag-ui/verified.ts';
import { recorder } from './record.ts';

const came = recorder('ag-ui', { peer: '@ag-ui/client 1.0.0', transport: 'HTTP, server-sent events' });

const op = (id: string | number, more: Partial<OperationEvent> = {}): OperationEvent => ({
  type: 'operation',
  session: 'chat-1',
  run: 'run-1',
  id,
  at: 1001,
  ...more,
});
const turn = (state: RunEvent['state'], at: number, more: Partial<RunEvent> = {}): RunEvent => ({
  type: 'run',
  session: 'chat-1',
  run: 'run-1',
  state,
  at,
  ...more,
});
const started: AgUiFrame = { type: 'RUN_STARTED', timestamp: 1000, threadId: 'chat-1', runId: 'run-1', protocolVersion: '1.0' };
const finished = (outcome: object = { type: 'success' }): AgUiFrame => ({
  type: 'RUN_FINISHED',
  timestamp: 1099,
  threadId: 'chat-1',
  runId: 'run-1',
  outcome,
});
const call = (id: string, at: number): AgUiFrame[] => [
  { type: 'TOOL_CALL_START', timestamp: at, toolCallId: id, toolCallName: 'bash' },
  { type: 'TOOL_CALL_ARGS', timestamp: at, toolCallId: id, delta: '{"command":"ls"}' },
  { type: 'TOOL_CALL_END', timestamp: at, toolCallId: id },
];
const result = (id: string, at: number): AgUiFrame => ({
  type: 'TOOL_CALL_RESULT',
  timestamp: at,
  messageId: `m-${id}`,
  toolCallId: id,
  content: 'ok',
  role: 'tool',
});

const states = ({ operations }: { operations: ReadonlyMap<string, { id: unknown; state: string }> }): string =>
  [...operations.values()].map(({ id, state }) => `${String(id)} ${state}`).join(', ');
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const whole = (index: ReturnType<typeof direct>): unknown => plain(index.snapshot(0, 'e', 0));

const byKey = (operations: ReadonlyMap<string, unknown>): unknown => new Map([...operations].sort(([a], [b]) => (a < b ? -1 : 1)));

/** A turn with a bit of everything the dialect writes. */
const TURN: readonly ProgressEvent[] = [
  turn('running', 1000),
  { type: 'session', session: 'chat-1', at: 1000, title: 'Release' },
  op('build', { state: 'running', title: 'Build', total: 3, unit: 'files', tool: { name: 'bash', origin: 'native' } }),
  op('build', { at: 1002, current: 1, message: 'a.ts' }),
  op('build', { at: 1003, current: 3, message: null }),
  op('agent', { at: 1004, state: 'running', title: 'Reviewer', kind: 'subagent' }),
  op('read', { at: 1005, state: 'running', title: 'Read', parent: 'agent' }),
  { type: 'card', session: 'chat-1', run: 'run-1', revision: 1, at: 1006, card: { plan: [{ step: 'Build', status: 'in_progress' }] } },
  op('read', { at: 1007, state: 'waiting', waitingOn: { text: 'a slot' } }),
  op('ask', { at: 1008, state: 'blocked', title: 'Deploy', blockedOn: { kind: 'permission', prompt: 'Deploy?' } }),
  op('ask', { at: 1009, state: 'denied', reason: 'user' }),
  op('build', { at: 1010, state: 'completed' }),
  { type: 'card', session: 'chat-1', run: 'run-1', revision: 2, at: 1011, card: null },
  op('gone', { at: 1012, state: 'running', title: 'Gone' }),
  { type: 'operation.clear', session: 'chat-1', run: 'run-1', id: 'gone', at: 1013 },
  turn('completed', 1020),
];

describe('what we write for AG-UI', () => {
  for (const form of ['sse', 'one-write', 'protobuf'] as const) {
    it(`is taken by the client over ${form}, and comes back to the same session`, async () => {
      const ran = await run(written(TURN), form);
      assert.equal(ran.error, undefined);
      assert.deepEqual(ran.refused, []);
      assert.deepEqual(whole(ran.ours), whole(direct(TURN)));
    });
  }
  it('leaves contents in the conversation that are whole and say what was left open', async () => {
    const { messages } = await run(written(TURN));
    const contents = new Map(messages.map((message) => [message.id, message.role === 'activity' ? message.content : undefined]));
    const build = contents.get('sitrep:operation:["build","run-1"]');
    assert.deepEqual(
      [build?.['state'], build?.['title'], build?.['current'], 'message' in (build ?? {})],
      ['completed', 'Build', 3, false],
    );
    assert.equal(contents.get('sitrep:operation:["read","run-1"]')?.['state'], 'interrupted');
    assert.equal(contents.get('sitrep:operation:["gone","run-1"]')?.['type'], 'operation.clear');
    assert.equal(contents.get('sitrep:card')?.['card'], null);
    // Nothing of ours becomes part of what the model reads.
    assert.deepEqual([...new Set(messages.map(({ role }) => role))], ['activity']);
  });
  it('leaves contents in the conversation that make the same records, in any session', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const events = randomSession(seed);
      const { messages, error } = await run(written(events));
      assert.equal(error, undefined, `seed ${seed}`);
      const { ours } = read([{ type: 'MESSAGES_SNAPSHOT', messages }]);
      const expected = direct(events);
      assert.deepEqual(byKey(ours.operations), byKey(expected.operations), `seed ${seed}`);
      assert.deepEqual([ours.card, ours.title], [expected.card, expected.title], `seed ${seed}`);
    }
  });
  it('passes the verifier and the schema in any session, through several runs and between them', async () => {
    for (let seed = 1; seed <= 150; seed++) {
      const events = randomSession(seed);
      const frames = written(events);
      for (const frame of frames) EventSchema.parse(frame);
      const passed = await verified(frames);
      assert.equal(passed.length, frames.length, `seed ${seed}`);
      const { ours, refused } = read(passed);
      assert.deepEqual(refused, [], `seed ${seed}`);
      assert.deepEqual(whole(ours), whole(direct(events)), `seed ${seed}`);
    }
  });
});

describe('what AG-UI writes', () => {
  it('asks a person: what is asked about is blocked, and the next run goes on', async () => {
    const interrupt = { type: 'interrupt', interrupts: [{ id: 'i-1', reason: 'tool_approval', message: 'Deploy?', toolCallId: 'a' }] };
    const first = await run([started, ...call('a', 1001), finished(interrupt)]);
    assert.equal(first.error, undefined);
    assert.equal(states(first.ours), 'a blocked');
    assert.equal(first.ours.runs.get('run-1')?.state, 'running');
    const again = { ...started, runId: 'run-2', timestamp: 1100 };
    const { ours } = read([...first.events, again, result('a', 1101), { ...finished(), runId: 'run-2' }]);
    assert.equal(states(ours), 'a completed');
    assert.deepEqual(
      [...ours.runs.values()].map(({ run: name, state }) => `${name} ${state}`),
      ['run-1 completed', 'run-2 completed'],
    );
  });
  it('changes activities by patches, and we end where the client ends', async () => {
    const { applyPatch } = createRequire(createRequire(import.meta.url).resolve('@ag-ui/client'))('fast-json-patch') as {
      applyPatch: (document: unknown, patch: unknown, validate: boolean, mutate: boolean) => { newDocument: unknown };
    };
    let held: unknown = { steps: [{ step: 'a', status: 'pending' }] };
    const frames: AgUiFrame[] = [started, { type: 'ACTIVITY_SNAPSHOT', messageId: 'p', activityType: 'PLAN', content: held as object }];
    let applied = 0;
    for (const patch of patches(400)) {
      frames.push({ type: 'ACTIVITY_DELTA', messageId: 'p', activityType: 'PLAN', patch });
      try {
        held = applyPatch(held, patch, true, false).newDocument;
        applied += 1;
      } catch {
        // The client warns and keeps what it had.
      }
    }
    const { value: ran } = await quietly(() => run([...frames, finished()]));
    const message = ran.messages.find(({ id }) => id === 'p');
    assert.deepEqual(message?.content, held);
    assert.ok(applied > 100 && applied < 400, `${applied} of 400`);
    assert.equal(ran.refused.length, 400 - applied);
    const steps = (held as { steps: readonly { step: string; status: string }[] }).steps;
    assert.deepEqual(ran.ours.card.card?.plan, steps.slice(0, 50));
  });
});

/** Patches of a list of steps, some of which do not apply. */
function* patches(count: number): Generator<object[]> {
  let seed = 7;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let index = 0; index < count; index++) {
    const at = next(6);
    const step = { step: `s${index}`, status: ['pending', 'completed', 'failed', 'cancelled'][next(4)] };
    yield [
      [
        { op: 'add', path: '/steps/-', value: step },
        { op: 'add', path: `/steps/${at}`, value: step },
        { op: 'remove', path: `/steps/${at}` },
        { op: 'replace', path: `/steps/${at}/status`, value: step.status },
        { op: 'move', from: `/steps/${at}`, path: `/steps/${next(6)}` },
        { op: 'copy', from: `/steps/${at}`, path: '/steps/0' },
        { op: 'replace', path: `/steps/${at}/nothing`, value: 1 },
      ][next(7)] as object,
      { op: 'test', path: `/steps/${next(4)}/status`, value: step.status },
    ].slice(0, next(4) === 0 ? 2 : 1);
  }
}

describe('came through AG-UI', () => {
  it('a burst of updates in one read with the end of the run', async () => {
    const updates = Array.from({ length: 50 }, (_, index) => op('a', { at: 1002 + index, current: index + 1 }));
    const events = [turn('running', 1000), op('a', { state: 'running', title: 'Copy', total: 50 }), ...updates];
    const ran = await run(written([...events, op('a', { at: 1090, state: 'completed' }), turn('completed', 1099)]), 'one-write');
    assert.equal(ran.error, undefined);
    const patched = ran.events.filter(({ type }) => type === 'ACTIVITY_DELTA').length;
    const [copy] = ran.ours.operations.values();
    came('burst', {
      sent: '50 updates, the end of the work and of the run in one write',
      peer: `handed on ${patched - 1} updates and the end`,
      ours: `${copy?.state}, ${copy?.current} of ${copy?.total}`,
    });
  });
  it('updates after the final state', async () => {
    const after = written([
      turn('running', 1000),
      op('a', { state: 'completed' }),
      op('a', { at: 1003, current: 9 }),
      turn('completed', 1009),
    ]);
    assert.equal((await run(after)).error, undefined);
    assert.ok(!JSON.stringify(after).includes('1003'));
    const { value: raw } = await quietly(() => run([started, ...call('a', 1001), result('a', 1005), finished(), result('a', 1100)]));
    const { ours } = read([started, ...call('a', 1001), result('a', 1005), ...call('a', 1006).slice(2)]);
    came('late', {
      sent: 'an update of finished work of ours; a result after the end of the run',
      peer: `the first was not written; the second ends the stream: ${raw.error?.slice(0, 60)}…`,
      ours: `${states(ours)}, ${ours.outcomes.late} late dropped`,
    });
  });
  it('repeated and falling amounts', async () => {
    const amounts = [20, 20, 80, 40];
    const events = [turn('running', 1000), op('a', { state: 'running', title: 'Copy', total: 100 })];
    const updates = amounts.map((current, index) => op('a', { at: 1002 + index, seq: index + 1, current }));
    const ran = await run(written([...events, ...updates, turn('completed', 1099)]));
    const operations = ran.events.flatMap(({ patch }) => (Array.isArray(patch) ? (patch as { path: string; value: unknown }[]) : []));
    const seen = operations.filter(({ path }) => path === '/current').map(({ value }) => value);
    came('amounts', {
      sent: amounts.join(', '),
      peer: `handed on ${seen.join(', ')}`,
      ours: `ends at ${[...ran.ours.operations.values()][0]?.current}, as it was said`,
    });
  });
  it('two identical calls at once', async () => {
    const ran = await run([started, ...call('a', 1001), ...call('b', 1002), result('b', 1003), finished()]);
    assert.equal(ran.error, undefined);
    came('concurrent', {
      sent: 'two calls of one tool, the second ends, the first does not',
      peer: 'one message for each',
      ours: states(ran.ours),
    });
    const titles = [op('a', { state: 'running', title: 'Build' }), op('b', { state: 'running', title: 'Build' })];
    const own = await run(written([turn('running', 1000), ...titles, op('b', { state: 'completed' }), turn('completed', 1009)]));
    assert.equal(own.error, undefined);
    assert.equal(states(own.ours), 'a interrupted, b completed');
  });
  it('calls nested three deep', async () => {
    const agents: AgUiFrame[] = [
      { type: 'SUBAGENT_STARTED', timestamp: 1002, subagentRunId: 's-1', name: 'writer', parentToolCallId: 'a' },
      { type: 'SUBAGENT_STARTED', timestamp: 1003, subagentRunId: 's-2', name: 'reader', parentSubagentRunId: 's-1' },
      { type: 'SUBAGENT_FINISHED', timestamp: 1005, subagentRunId: 's-2', outcome: { type: 'success' } },
      { type: 'SUBAGENT_FINISHED', timestamp: 1006, subagentRunId: 's-1', outcome: { type: 'success' } },
    ];
    const ran = await run([started, ...call('a', 1001), ...agents, result('a', 1007), finished()]);
    assert.equal(ran.error, undefined);
    const parents = [...ran.ours.operations.values()].map(({ id, parent }) => `${String(id)} in ${String(parent ?? 'the run')}`);
    came('nested', { sent: 'a call, a subagent in it, a subagent in that', peer: 'all taken', ours: parents.join(', ') });
  });
  it('a cancel, then a completion', async () => {
    const events = [turn('running', 1000), op('a', { state: 'running' }), op('a', { at: 1002, state: 'cancelled' })];
    const ran = await run(written([...events, op('a', { at: 1003, state: 'completed' }), turn('cancelled', 1009)]));
    const content = ran.messages[0]?.role === 'activity' ? ran.messages[0].content : {};
    came('cancel-completed', {
      sent: 'cancelled, then completed',
      peer: `content says ${String(content['state'])}`,
      ours: states(ran.ours),
    });
  });
  it('a call that was not allowed', async () => {
    const ran = await run(
      written([turn('running', 1000), op('a', { state: 'blocked' }), op('a', { at: 1002, state: 'denied' }), turn('completed', 1009)]),
    );
    const steps = ran.events.filter(({ type }) => String(type).startsWith('STEP')).map(({ type }) => type);
    came('denied', { sent: 'blocked, then denied', peer: `${steps.join(', ')}, and the content says denied`, ours: states(ran.ours) });
  });
  it('a state of a newer peer', async () => {
    const frames = [started, finished({ type: 'deferred' })];
    const { value: ran, told } = await quietly(() => run(frames));
    const outcome = ran.events.find(({ type }) => type === 'RUN_FINISHED')?.['outcome'];
    const ended = read(frames).ours.runs.get('run-1');
    came('unknown-state', {
      sent: 'a run that finished with the outcome "deferred"',
      peer: `${outcome === undefined ? 'took the outcome away with a warning, which leaves a success' : String(outcome)} (${told > 0 ? 'warned' : 'silent'})`,
      ours: `read from the wire: ${ended?.state}, reason "${ended?.reason}"`,
    });
  });
  it('a call that reports nothing', async () => {
    const ran = await run([started, ...call('a', 1001), result('a', 1050), finished()]);
    const [silent] = ran.ours.operations.values();
    assert.equal(silent?.current ?? silent?.total ?? silent?.fraction, undefined);
    came('silence', {
      sent: 'a call without any progress',
      peer: 'start, end of the arguments, result',
      ours: 'pending, running, completed, no amount',
    });
  });
  it('a reconnect with and without a cursor', async () => {
    came('resume-cursor', {
      none: 'The protocol has no cursor: a stream is one run, and a reader that comes back is sent the conversation.',
    });
    const first = await run(written(TURN));
    const snapshot: AgUiFrame = { type: 'MESSAGES_SNAPSHOT', timestamp: 2000, messages: first.messages };
    const second = await run([{ ...started, runId: 'run-2' }, snapshot, { ...finished(), runId: 'run-2' }]);
    assert.equal(second.error, undefined);
    assert.deepEqual(second.refused, []);
    came('resume-none', {
      sent: 'the conversation as a snapshot in another run',
      peer: `${second.messages.length} activities`,
      ours: states(second.ours),
    });
  });
});
