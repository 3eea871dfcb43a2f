import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chatKit, claude, codex, codexExec, openaiResponses, openCode } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';

const CONTEXT = { session: 'chat-1', at: 1000 };

/** Reads a stream with the memory of its dialect, and answers the session it leads to and the largest the memory became. */
function readAll(dialect: Dialect<unknown>, frames: Iterable<unknown>) {
  const index = new SessionIndex('chat-1');
  let memory: unknown;
  let largest = 0;
  for (const frame of frames) {
    const frozen = deepFrozen(memory);
    const decoded = dialect.decode(frame, CONTEXT, frozen);
    assert.ok(decoded.ok, JSON.stringify(decoded));
    if (decoded.memory !== undefined) {
      memory = decoded.memory;
      largest = Math.max(largest, JSON.stringify(memory).length);
    }
    for (const event of decoded.events) index.apply(event);
  }
  return { index, memory, largest };
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(deepFrozen);
  return value;
}

const COUNT = 600;
const numbers = Array.from({ length: COUNT }, (_, index) => index);
const thread = { threadId: 'thread-1', turnId: 'turn-1' };

/** Streams in which nothing that is begun ever ends. */
const STREAMS: readonly (readonly [Dialect<unknown>, readonly unknown[]])[] = [
  [
    codex as Dialect<unknown>,
    numbers.flatMap((n) => [
      { method: 'thread/started', params: { thread: { id: `agent-${n}`, parentThreadId: 'thread-1' } } },
      { id: n, method: 'item/commandExecution/requestApproval', params: { ...thread, itemId: `call-${n}` } },
      { method: 'turn/plan/updated', params: { ...thread, plan: [{ step: `step ${n}`, status: 'inProgress' }] } },
    ]),
  ],
  [
    codexExec as Dialect<unknown>,
    numbers.flatMap((n) => [
      { type: 'turn.started' },
      { type: 'item.updated', item: { id: 'item_0', type: 'todo_list', items: [{ text: `step ${n}`, completed: false }] } },
      { type: 'item.started', item: { id: `item_${n}`, type: 'command_execution', command: 'make', status: 'in_progress' } },
    ]),
  ],
  [
    openCode as Dialect<unknown>,
    numbers.flatMap((n) => [
      { type: 'session.status', properties: { sessionID: 'ses_1', status: { type: 'busy' } } },
      { type: 'session.created', properties: { sessionID: `child-${n}`, info: { id: `child-${n}`, parentID: 'ses_1', title: 'x' } } },
      { type: 'permission.asked', properties: { id: `per_${n}`, sessionID: 'ses_1', permission: 'bash', patterns: [] } },
      {
        type: 'message.part.updated',
        properties: {
          part: { type: 'tool', sessionID: 'ses_1', callID: `call-${n}`, tool: 'bash', state: { status: 'running', input: {} } },
        },
      },
    ]),
  ],
  [
    claude as Dialect<unknown>,
    numbers.flatMap((n) => [
      {
        type: 'assistant',
        session_id: 's',
        uuid: 'u',
        message: {
          content: [{ type: 'tool_use', id: `toolu_${n}`, name: n % 2 === 0 ? 'Bash' : 'TaskCreate', input: { subject: `task ${n}` } }],
        },
      },
      {
        type: 'user',
        session_id: 's',
        message: { content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: `Task #${n} created` }] },
      },
      {
        type: 'system',
        subtype: 'task_started',
        session_id: 's',
        task_id: `task-${n}`,
        run_id: 'a',
        description: 'x',
        is_backgrounded: true,
      },
    ]),
  ],
  [
    openaiResponses as Dialect<unknown>,
    numbers.map((n) => ({
      type: 'response.output_item.done',
      sequence_number: n,
      item: { id: `fc_${n}`, type: 'function_call', call_id: `call_${n}`, name: 'read', status: 'completed' },
    })),
  ],
  [
    chatKit as Dialect<unknown>,
    numbers.map((n) => ({ type: 'thread.item.added', item: { id: `wf_${n}`, type: 'workflow', workflow: { type: 'custom', tasks: [] } } })),
  ],
];

describe('what a dialect of a coding agent remembers', () => {
  for (const [dialect, frames] of STREAMS) {
    it(`${dialect.name}: is bounded however long the stream, is never changed in place, and is plain data`, () => {
      const { memory, largest, index } = readAll(dialect, frames);
      assert.ok(index.operations.size > 100);
      assert.ok(largest < 64_000, `${largest} characters`);
      assert.deepEqual(JSON.parse(JSON.stringify(memory)), JSON.parse(JSON.stringify(structuredClone(memory))));
    });
    it(`${dialect.name}: is not needed to read a frame`, () => {
      for (const frame of frames.slice(0, 8)) assert.ok(dialect.decode(frame, CONTEXT).ok);
    });
  }
});

describe('what a dialect of a coding agent keeps of names and texts', () => {
  const long = 'x'.repeat(1_000_000);
  const deep = JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown;
  const use = (id: string, name: string, input: unknown) => ({
    type: 'assistant',
    session_id: 's',
    uuid: 'u',
    message: { content: [{ type: 'tool_use', id, name, input }] },
  });
  const todos = Array.from({ length: 200 }, () => ({ content: long, status: long, activeForm: deep }));
  const CASES: readonly (readonly [Dialect<unknown>, readonly unknown[]])[] = [
    [
      claude as Dialect<unknown>,
      [
        ...Array.from({ length: 40 }, (_, n) => use(`toolu_${n}`, 'TodoWrite', { todos })),
        use('toolu_a', 'TodoWrite', { todos: deep }),
        use('toolu_b', 'TaskCreate', { subject: long, taskId: long, status: deep, explanation: long }),
        use(long, 'TodoWrite', { todos }),
        {
          type: 'user',
          session_id: 's',
          message: { content: [{ type: 'tool_result', tool_use_id: 'toolu_b', content: 'Task #1 created' }] },
        },
        { type: 'system', subtype: 'task_started', session_id: 's', task_id: 'task-1', run_id: long, description: 'x' },
        { type: 'system', subtype: 'init', session_id: long, uuid: long },
        { hook_event_name: 'UserPromptSubmit', session_id: 's', prompt_id: long },
        { hook_event_name: 'TaskCreated', session_id: 's', task_id: long, task_subject: long },
      ],
    ],
    [codex as Dialect<unknown>, [{ method: 'turn/started', params: { threadId: long, turn: { id: long, status: 'inProgress' } } }]],
    [
      openCode as Dialect<unknown>,
      [
        { type: 'session.next.tool.called', properties: { sessionID: 'ses_1', callID: long, tool: 'todowrite' } },
        { type: 'message.updated', properties: { info: { role: 'user', sessionID: 'ses_1', id: long } } },
        { type: 'session.status', properties: { sessionID: long, status: { type: 'busy' } } },
      ],
    ],
    [
      openaiResponses as Dialect<unknown>,
      [{ type: 'response.created', sequence_number: 0, response: { id: long, status: 'in_progress' } }],
    ],
  ];
  for (const [dialect, frames] of CASES) {
    it(`${dialect.name}: is bounded, and can be written as JSON`, () => {
      let memory: unknown;
      for (const frame of frames) {
        const decoded = dialect.decode(frame, { ...CONTEXT, run: 'mine' }, memory);
        if (decoded.ok && decoded.memory !== undefined) memory = decoded.memory;
        assert.ok((JSON.stringify(memory) ?? '').length < 1_500_000);
      }
    });
  }
});

describe('a turn whose tokens are beyond all numbers', () => {
  const many = Number.MAX_VALUE;
  const ENDS: readonly (readonly [Dialect<unknown>, readonly unknown[]])[] = [
    [
      claude as Dialect<unknown>,
      [
        { type: 'system', subtype: 'init', session_id: 's', uuid: 'turn-1' },
        { type: 'result', subtype: 'success', session_id: 's', uuid: 'u', modelUsage: { m: { inputTokens: many, outputTokens: many } } },
      ],
    ],
    [
      codexExec as Dialect<unknown>,
      [{ type: 'turn.started' }, { type: 'turn.completed', usage: { input_tokens: many, output_tokens: many } }],
    ],
    [
      openaiResponses as Dialect<unknown>,
      ['a', 'b'].map((id, n) => ({
        type: 'response.completed',
        sequence_number: n,
        response: { id, status: 'completed', usage: { total_tokens: many } },
      })),
    ],
  ];
  for (const [dialect, frames] of ENDS) {
    it(`${dialect.name}: ends all the same`, () => {
      const { index } = readAll(dialect, frames);
      assert.ok([...index.runs.values()].every(({ state }) => state === 'completed'));
      assert.equal(index.usage?.tokens, Number.MAX_SAFE_INTEGER);
    });
  }
});

describe('revisions of a list', () => {
  it('go on from the one the caller holds, whoever wrote it', () => {
    const frame = {
      type: 'todo.updated',
      properties: { sessionID: 'ses_1', todos: [{ content: 'a', status: 'pending', priority: 'low' }] },
    };
    const decoded = openCode.decode(frame, { ...CONTEXT, revision: 7 });
    assert.ok(decoded.ok);
    assert.equal(decoded.events[0]?.type === 'card' && decoded.events[0].revision, 8);
    const next = openCode.decode(frame, { ...CONTEXT, revision: 9 }, decoded.memory);
    assert.ok(next.ok);
    assert.equal(next.events[0]?.type === 'card' && next.events[0].revision, 10);
  });
});

describe('dialects that only read', () => {
  it('write nothing', () => {
    for (const dialect of [codex, codexExec, openCode, claude, openaiResponses] as Dialect<unknown>[]) {
      assert.deepEqual(dialect.encode({ type: 'operation', session: 'chat-1', id: 'a', at: 1, state: 'running' }), []);
      assert.deepEqual(dialect.whole, []);
    }
  });
});
