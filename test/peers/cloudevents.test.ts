import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { CloudEvent, emitterFor, HTTP, httpTransport, Mode } from 'cloudevents';
import { cloudEvents } from '@sitrep/schema/dialect/cloudevents';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { recorder } from './record.ts';

const came = recorder('cloudevents', { peer: 'cloudevents 10.0.0', transport: 'HTTP, structured mode' });
const SESSION = 'chat-1';

/** Envelopes as the library read them from what arrived. */
let received: CloudEvent<unknown>[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => (body += part));
  request.on('end', () => {
    const read = HTTP.toEvent<unknown>({ headers: request.headers, body });
    received.push(...([read].flat() as CloudEvent<unknown>[]));
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const emit = emitterFor(httpTransport(url), { mode: Mode.STRUCTURED });

after(() => new Promise((resolve) => server.close(resolve)));

function op(fields: Partial<OperationEvent> = {}): OperationEvent {
  return { type: 'operation', session: SESSION, id: 'call-1', at: 1_700_000_000_000, ...fields };
}

/** Sends events through the library and back, and answers our records. */
async function through(events: readonly ProgressEvent[]): Promise<{ index: SessionIndex; back: ProgressEvent[] }> {
  received = [];
  for (const event of events) for (const frame of cloudEvents.encode(event)) await emit(new CloudEvent<unknown>({ ...frame }, true));
  const index = new SessionIndex(SESSION);
  const back = received.flatMap((envelope) => {
    const decoded = cloudEvents.decode(envelope.toJSON(), { session: SESSION, at: 1 });
    assert.ok(decoded.ok, JSON.stringify(decoded));
    return decoded.events;
  });
  for (const event of back) index.apply(event);
  assert.deepEqual(back, JSON.parse(JSON.stringify(events)));
  return { index, back };
}

const states = (index: SessionIndex): string =>
  [...index.operations.values()]
    .map(({ id, state, current, total }) => `${JSON.stringify(id)} ${state}${current === undefined ? '' : ` ${current}/${total ?? '?'}`}`)
    .join('; ');

describe('cloudevents over HTTP', () => {
  it('takes our envelopes as valid and gives every event back', async () => {
    const { back } = await through([
      op({ seq: 1, state: 'running', title: 'Build', ext: { deep: { list: [1, null, 'x'] } } }),
      { type: 'operation.clear', session: SESSION, id: 7, at: 1_700_000_000_001 },
      {
        type: 'card',
        session: SESSION,
        revision: 9,
        at: 1_700_000_000_002,
        card: { plan: [{ step: 'Lies', status: 'pending' }], markdown: '**n**' },
      },
      { type: 'run', session: SESSION, run: 'r/1', state: 'completed', at: 1_700_000_000_003 },
      { type: 'session', session: SESSION, title: 'T', at: 1_700_000_000_004 },
    ]);
    assert.equal(back.length, 5);
    assert.deepEqual(
      received.map(({ type, subject }) => [type, subject]),
      [
        ['dev.sitrep.operation.v1', 'call-1'],
        ['dev.sitrep.operation-clear.v1', '7'],
        ['dev.sitrep.card.v1', undefined],
        ['dev.sitrep.run.v1', 'r/1'],
        ['dev.sitrep.session.v1', undefined],
      ],
    );
    const order = received.map((envelope) => String(envelope['sequence']));
    assert.deepEqual(order, order.toSorted());
    assert.equal(new Set(received.map(({ id }) => id)).size, 5);
  });

  it('takes a batch, and refuses what is not ours politely', async () => {
    received = [];
    const batch = [...cloudEvents.encode(op({ seq: 1 })), { specversion: '1.0', id: '1', source: '/x', type: 'com.example.made' }];
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/cloudevents-batch+json' }, body: JSON.stringify(batch) });
    const decoded = cloudEvents.decode(
      received.map((envelope) => envelope.toJSON()),
      { session: SESSION, at: 1 },
    );
    assert.ok(decoded.ok);
    assert.equal(decoded.events.length, 1);
    assert.deepEqual(
      decoded.mended?.map(({ path, code }) => [path, code]),
      [['/1/type', 'unknown_type']],
    );
  });

  it('brings every scenario through, as the whole event travels', async () => {
    const burst = await through([
      op({ seq: 1, state: 'running', title: 'Copy', total: 20 }),
      ...Array.from({ length: 20 }, (_, index) => op({ seq: index + 2, current: index + 1 })),
      op({ seq: 22, state: 'completed' }),
    ]);
    came('burst', { sent: '22 events without a pause', peer: `${received.length} envelopes`, ours: states(burst.index) });

    const late = await through([op({ seq: 1, state: 'running' }), op({ seq: 3, state: 'completed' }), op({ seq: 2, message: 'late' })]);
    assert.equal(late.index.outcomes.stale, 1);
    came('late', {
      sent: 'sequence 1, 3 (completed), 2',
      peer: 'all three, in order of arrival; the sequence of the envelope tells the order',
      ours: `${states(late.index)}; 1 stale event dropped`,
    });

    const amounts = await through([
      op({ seq: 1, state: 'running', current: 5, total: 10 }),
      op({ seq: 2, current: 5 }),
      op({ seq: 3, current: 2 }),
    ]);
    came('amounts', { sent: '5, 5, 2 of 10', peer: 'all three', ours: states(amounts.index) });

    const two = await through([op({ id: 7, state: 'running' }), op({ id: '7', state: 'running' }), op({ id: '7', state: 'completed' })]);
    came('concurrent', { sent: 'ids 7 and "7"; "7" completes', peer: 'the same subject "7" for both', ours: states(two.index) });

    const nested = await through([op({ id: 'a' }), op({ id: 'b', parent: 'a' }), op({ id: 'c', parent: 'b', state: 'running' })]);
    assert.equal(nested.index.find('c')?.parent, 'b');
    came('nested', { sent: 'three operations, one inside the other', peer: 'three subjects', ours: 'a, b inside a, c inside b' });

    const cancel = await through([op({ state: 'running' }), op({ cancelRequested: true }), op({ state: 'completed' })]);
    assert.equal(cancel.index.find('call-1')?.cancelRequested, true);
    came('cancel-completed', {
      sent: 'running, a request to cancel, completed',
      peer: 'all three',
      ours: `${states(cancel.index)}, with the request to cancel`,
    });

    const denied = await through([op({ state: 'denied', reason: 'policy' })]);
    came('denied', { sent: 'denied by policy', peer: 'one envelope', ours: states(denied.index) });

    const [frame] = cloudEvents.encode(op());
    await emit(new CloudEvent<unknown>({ ...frame!, data: { ...op(), state: 'sleeping' } }, true));
    const unknown = cloudEvents.decode(received.at(-1)!.toJSON(), { session: SESSION, at: 1 });
    const [later] = unknown.ok ? unknown.events : [];
    assert.ok(later?.type === 'operation');
    came('unknown-state', {
      sent: 'an event of a later version of ours, in the state sleeping',
      peer: 'the envelope',
      ours: `${later.state}, with the word ${later.native?.state} kept`,
    });

    const silence = await through([op({ state: 'running', title: 'A' })]);
    came('silence', { sent: 'one event, and nothing more', peer: 'one envelope', ours: `${states(silence.index)}, without an amount` });
    came('resume-cursor', { none: 'an envelope; resuming is its transport’s' });
    came('resume-none', { none: 'an envelope; resuming is its transport’s' });
  });
});
