import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createMessageConnection, ProgressType, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { SessionIndex } from '@sitrep/schema/reduce';
import { lsp } from '@sitrep/schema/dialect/lsp';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { Operation } from '@sitrep/schema/wire';
import { recorder } from './record.ts';

const came = recorder('vscode-jsonrpc', { peer: 'vscode-jsonrpc 10.0.0', transport: 'stdio of a child process' });
const SESSION = 'client';
const CREATE = 'window/workDoneProgress/create';
const CANCEL = 'window/workDoneProgress/cancel';
const child = spawn(process.execPath, [fileURLToPath(new URL('vscode-jsonrpc/server.ts', import.meta.url))], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const connection = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
const TYPE = new ProgressType<Record<string, unknown>>();

interface Value {
  readonly kind: string;
  readonly message?: string;
  readonly percentage?: number;
}

/** What one scenario brought: values as the library handed them on, by token, and our records. */
class Client {
  readonly values: (readonly [token: string | number, value: Value])[] = [];
  readonly index = new SessionIndex(SESSION);
  readonly #decoder = createDecoder(lsp, { session: SESSION });

  take(frame: object): void {
    const decoded = this.#decoder.decode(frame, 1);
    assert.ok(decoded.ok, JSON.stringify(decoded));
    for (const event of decoded.events) this.index.apply(event);
  }

  progress(token: string | number, value: Value): void {
    this.values.push([token, value]);
    this.take({ jsonrpc: '2.0', method: '$/progress', params: { token, value } });
  }

  get operations(): Operation[] {
    return [...this.index.operations.values()];
  }

  /** "begin, report 50, end" of one token. */
  said(token: string | number): string {
    return this.values
      .filter(([each]) => each === token)
      .map(([, { kind, percentage, message }]) => [kind, percentage, message].filter((part) => part !== undefined).join(' '))
      .join(', ');
  }
}

let client = new Client();
/** Tokens the library was told to expect: it hands their progress to a handler, and all other to one for the rest. */
const expected = new Set<string | number>();

connection.onRequest(CREATE, (params: { token: string | number }) => {
  client.take({ jsonrpc: '2.0', id: 1, method: CREATE, params });
  if (!expected.has(params.token)) connection.onProgress(TYPE, params.token, (value) => client.progress(params.token, value as never));
  expected.add(params.token);
  return null;
});
connection.onUnhandledProgress(({ token, value }) => client.progress(token, value as Value));
connection.listen();

async function play(who: 'theirs' | 'ours', scenario: string, during?: () => Promise<void>): Promise<Client> {
  client = new Client();
  const done = connection.sendRequest(who, scenario);
  await during?.();
  await done;
  return client;
}

/** The state and amount of a record in a few words. */
function shown({ state, current, total, fraction }: Operation): string {
  const amount =
    current !== undefined ? ` ${current}/${total ?? '?'}` : fraction !== undefined ? ` ${Math.floor(fraction * 100 + 1e-9)} %` : '';
  return state + amount;
}

function begun(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): unknown => (client.values.length > 0 ? resolve() : setImmediate(look));
    look();
  });
}

async function cancel(id: string): Promise<void> {
  await begun();
  const operation = client.operations.find((each) => each.id === id);
  assert.ok(operation);
  const encoder = createEncoder(lsp, SESSION);
  const native = operation.native ?? { protocol: 'lsp', ids: { token: 'a' } };
  const [frame] = encoder.encode({ type: 'operation', session: SESSION, id, at: 2, cancelRequested: true, native });
  assert.deepEqual(frame, { jsonrpc: '2.0', method: CANCEL, params: { token: id } });
  // One decoder reads both directions: what was asked for is part of the story.
  client.take(frame);
  await connection.sendNotification(CANCEL, { token: id });
}

after(() => {
  connection.end();
  child.kill();
});

describe('vscode-jsonrpc over the stdio of a child process', () => {
  it('hands on a burst that arrives with the response', async () => {
    const theirs = await play('theirs', 'burst');
    assert.equal(theirs.values.length, 22);
    assert.equal(shown(theirs.operations[0]!), 'completed 100 %');
    const ours = await play('ours', 'burst');
    assert.equal(ours.values.length, 22);
    assert.equal(shown(ours.operations[0]!), 'completed 20/20');
    came('burst', {
      sent: 'begin, 20 reports, end and the response without a pause; the same in our events, with units',
      peer: 'all 22 values of each',
      ours: 'completed 100 %; completed 20/20 files',
    });
  });

  it('hands on a report after the end, which our records drop', async () => {
    const { values, index, operations } = await play('theirs', 'late');
    assert.equal(values.length, 3);
    assert.equal(index.outcomes.late, 1);
    assert.equal(operations[0]?.message, 'done');
    came('late', {
      sent: 'begin, end, report 90',
      peer: 'all three values; a handler sees the report after the end',
      ours: `${shown(operations[0]!)}, message done; 1 late event dropped`,
    });
  });

  it('hands on repeated and falling amounts', async () => {
    const theirs = await play('theirs', 'amounts');
    const ours = await play('ours', 'amounts');
    assert.equal(theirs.said('t'), 'begin 50, report 50, report 20');
    assert.equal(ours.said('a'), 'begin 50, report 20', 'what says nothing new is not sent');
    came('amounts', {
      sent: '50, 50, 20 percent; 5, 5, 2 of 10 in our events',
      peer: `${theirs.said('t')}; ${ours.said('a')}`,
      ours: `${shown(theirs.operations[0]!)}; ${shown(ours.operations[0]!)}`,
    });
  });

  it('keeps two identical operations apart, the type of the token included', async () => {
    const theirs = await play('theirs', 'concurrent');
    const ours = await play('ours', 'concurrent');
    for (const { operations } of [theirs, ours])
      assert.deepEqual(
        operations.map(({ id }) => id),
        [1, '1'],
      );
    came('concurrent', {
      sent: 'tokens 1 and "1" with the same title; 10 and 90 percent; end of "1"',
      peer: `1: ${theirs.said(1)}; "1": ${theirs.said('1')}`,
      ours: `1: ${theirs.operations.map(shown).join('; "1": ')}`,
    });
  });

  it('carries what is nested, of which the protocol knows nothing', async () => {
    const { values, operations } = await play('ours', 'nested');
    assert.deepEqual(
      operations.map(({ id, parent }) => [id, parent]),
      [
        ['a', undefined],
        ['b', 'a'],
        ['c', 'b'],
      ],
    );
    assert.equal(operations[1]?.state, 'failed');
    came('nested', {
      sent: 'three of our events, one inside the other; the middle one fails',
      peer: `three tokens side by side; of the middle one: ${values
        .filter(([token]) => token === 'b')
        .map(([, { kind, message }]) => [kind, message].filter(Boolean).join(' '))
        .join(', ')}`,
      ours: 'a, b inside a, c inside b; b failed',
    });
  });

  it('carries a cancel, and says how it ended only with our event', async () => {
    const theirs = await play('theirs', 'cancel', () => cancel('t'));
    assert.equal(theirs.operations[0]?.state, 'cancelled');
    const asked = await connection.sendRequest('cancels');
    assert.deepEqual(asked, [
      { type: 'operation', session: 'server', id: 't', at: 1, cancelRequested: true, native: { protocol: 'lsp', ids: { token: 't' } } },
    ]);
    const ours = await play('ours', 'cancel', () => cancel('a'));
    assert.equal(ours.operations[0]?.state, 'completed');
    await connection.sendRequest('cancels');
    came('cancel-completed', {
      sent: 'begin; a cancel from us; end, or our event that it was completed',
      peer: 'the cancel at the server; begin, end at the client',
      ours: 'cancelled, as an end after a cancel does not say more; completed where our event says so',
    });
  });

  it('carries a cancel of an operation in a run, whose token says which, and leaves no token open', async () => {
    let token: string | number = '';
    const { values } = await play('ours', 'cancel-in-run', async () => {
      await begun();
      token = client.values[0]?.[0] ?? '';
      await connection.sendNotification(CANCEL, { token });
    });
    const asked = (await connection.sendRequest('cancels')) as Record<string, unknown>[];
    assert.deepEqual(
      asked.map(({ id, run, cancelRequested }) => [id, run, cancelRequested]),
      [[7, 'r1', true]],
    );
    assert.equal(client.said(token), 'begin 25, report 25 a.ts, end');
    const again = values.find(([each]) => each !== token)?.[0] ?? '';
    assert.equal(client.said(again), 'begin, end');
  });

  it('says in words that something was denied', async () => {
    const { values, operations } = await play('ours', 'denied');
    assert.deepEqual([operations[0]?.state, operations[0]?.reason], ['denied', 'policy']);
    came('denied', {
      sent: 'our event: denied by policy',
      peer: values.map(([, { kind, message }]) => [kind, message].filter(Boolean).join(' ')).join(', '),
      ours: 'denied, reason policy',
    });
  });

  it('hands on a kind it does not know', async () => {
    const { operations, values } = await play('theirs', 'unknown-state');
    assert.equal(operations[0]?.native?.state, 'suspend');
    came('unknown-state', {
      sent: 'begin, then a value of kind suspend',
      peer: values.map(([, { kind }]) => kind).join(', '),
      ours: `${operations[0]?.state}, with the word suspend kept`,
    });
  });

  it('says nothing of an amount where nothing was said', async () => {
    const { operations } = await play('theirs', 'silence');
    assert.deepEqual([operations[0]?.fraction, operations[0]?.current], [undefined, undefined]);
    came('silence', {
      sent: 'a begin without a percentage, and nothing more',
      peer: 'begin',
      ours: `${shown(operations[0]!)}, without an amount`,
    });
  });

  it('has nothing to resume', () => {
    came('resume-cursor', { none: 'a connection has no cursor: tokens end with it' });
    came('resume-none', { none: 'a connection that is gone is a new server, which begins anew' });
  });
});
