import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { EventSource } from 'eventsource';
import { createGateway } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { OperationEvent, StreamEvent } from '@sitrep/schema/wire';
import { cuttable } from './eventsource/cuttable.ts';
import type { Cuttable } from './eventsource/cuttable.ts';
import { operation, SCENES } from './eventsource/scenes.ts';
import { recorder } from './record.ts';

const came = recorder('eventsource', { peer: 'eventsource 4.1.1', transport: "the gateway's own stream over HTTP" });
const NAMES = ['snapshot', 'operation', 'operation.clear', 'card', 'run', 'session', 'heartbeat', 'resync', 'end'];

/** A reader by the library, and our records led by what it hands on. */
interface Reader {
  readonly source: EventSource;
  /** Names and ids as they were handed on, in order. */
  readonly seen: { readonly name: string; readonly id: string; readonly data: StreamEvent }[];
  readonly index: SessionIndex;
  /** The `Last-Event-ID` of each request. */
  readonly asked: (string | null)[];
  /** Done once that many frames of the name were handed on, this one included. */
  got(name: string, count?: number): Promise<void>;
}

/** A frame by its name and the position its id gives, where it has one. */
function placed({ name, id }: Reader['seen'][0]): string {
  return id === '' ? name : `${name} ${id.split(':')[1]}`;
}

describe("the gateway's stream in the library eventsource", () => {
  let gateway: Gateway;
  let way: Cuttable;
  const sources: EventSource[] = [];

  before(async () => {
    gateway = createGateway({ store: createMemoryStore() });
    const { url } = await gateway.listen({ port: 0 });
    way = await cuttable(url);
  });
  after(async () => {
    for (const source of sources) source.close();
    await way.close();
    await gateway.close();
  });

  function read(session: string, query = ''): Reader {
    const asked: (string | null)[] = [];
    const source = new EventSource(`${way.url}/v1/sessions/${session}/stream${query}`, {
      fetch: (url, init) => {
        asked.push(new Headers(init.headers).get('last-event-id'));
        return fetch(url, init);
      },
    });
    sources.push(source);
    const seen: Reader['seen'] = [];
    const index = new SessionIndex(session);
    const waiting: (() => void)[] = [];
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data) as StreamEvent;
        seen.push({ name, id: event.lastEventId, data });
        if (data.type === 'snapshot') index.load(data);
        else index.apply(data as OperationEvent);
        for (const look of waiting) look();
      });
    }
    const got = (name: string, count = 1): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (seen.filter((frame) => frame.name === name).length >= count) resolve();
        };
        waiting.push(look);
        look();
      });
    return { source, seen, index, asked, got };
  }

  /** Publishes one scenario to a reader that is there already. */
  async function play(scene: string): Promise<{ reader: Reader; outcomes: string; names: string }> {
    const reader = read(scene);
    await reader.got('snapshot');
    const events = SCENES[scene]?.(scene) ?? [];
    const { results } = await gateway.publish(scene, events);
    const outcomes = results.map(({ outcome }) => outcome);
    await reader.got('operation', outcomes.filter((outcome) => outcome === 'applied').length);
    assert.deepEqual(reader.index.snapshot(0, '', 0).operations, (await gateway.snapshot(scene)).operations);
    return {
      reader,
      outcomes: outcomes.join(', '),
      names: `a snapshot, then ${reader.seen
        .slice(1)
        .map(({ name }) => name)
        .join(', ')}`,
    };
  }

  it('hands on a burst', async () => {
    const { reader, names } = await play('burst');
    const { state, current, total } = reader.index.find('a') ?? {};
    came('burst', { sent: 'a start, four amounts and an end in one request', peer: names, ours: `${state}, ${current} of ${total}` });
    assert.deepEqual(
      reader.seen.map(({ id }) => Number(id.split(':')[1])),
      [0, 1, 2, 3, 4, 5, 6],
    );
  });
  it('never sees what came too late', async () => {
    const { reader, outcomes, names } = await play('late');
    const { state, title } = reader.index.find('a') ?? {};
    came('late', { sent: 'completed, then running', peer: `${names}; the gateway said ${outcomes}`, ours: `${state}, "${title}"` });
  });
  it('sees amounts as they are', async () => {
    const { reader } = await play('amounts');
    const { current, total } = reader.index.find('a') ?? {};
    came('amounts', {
      sent: '20, 20, 80, 40 of 100',
      peer: `currents ${reader.seen
        .slice(1)
        .map(({ data }) => (data as OperationEvent).current)
        .join(', ')}`,
      ours: `${current} of ${total}`,
    });
  });
  it('sees two alike apart, three deep, cancelled and denied', async () => {
    const alike = await play('concurrent');
    came('concurrent', {
      sent: 'two of bash, the second completed, then the first failed',
      peer: alike.names,
      ours: ['a', 'b'].map((id) => `${id} ${alike.reader.index.find(id)?.state}`).join(', '),
    });
    const nested = await play('nested');
    came('nested', {
      sent: 'three, each in the one before',
      peer: nested.names,
      ours: `inner in ${String(nested.reader.index.find('inner')?.parent)} in ${String(nested.reader.index.find('middle')?.parent)}`,
    });
    const cancelled = await play('cancel-completed');
    const stopped = cancelled.reader.index.find('a');
    came('cancel-completed', {
      sent: 'a request to cancel, then completed',
      peer: cancelled.names,
      ours: `${stopped?.state}${stopped?.cancelRequested ? ', asked to cancel' : ''}`,
    });
    const denied = await play('denied');
    const refused = denied.reader.index.find('a');
    came('denied', { sent: 'a denial', peer: denied.names, ours: `${refused?.state} (${refused?.error?.message})` });
  });
  it('never sees a state nobody knows', async () => {
    const { reader, outcomes, names } = await play('unknown-state');
    const { state, message } = reader.index.find('a') ?? {};
    came('unknown-state', {
      sent: 'state "dreaming", then a message',
      peer: `${names}; the gateway said ${outcomes}`,
      ours: `${state}, "${message}"`,
    });
  });
  it('is told at once that there is nothing yet', async () => {
    const reader = read('silence');
    await reader.got('snapshot');
    assert.equal(reader.source.readyState, reader.source.OPEN);
    came('silence', { sent: 'nothing', peer: 'a snapshot at once', ours: `${reader.index.operations.size} operations` });
  });
  it('goes on where it was cut off, with nothing doubled and nothing missing', async () => {
    const reader = read('resume');
    await reader.got('snapshot');
    await gateway.publish('resume', [operation('resume', 'a', { seq: 1, state: 'running', current: 1 })]);
    await reader.got('operation');
    way.cut();
    await gateway.publish('resume', [operation('resume', 'a', { seq: 2, current: 2 }), operation('resume', 'a', { seq: 3, current: 3 })]);
    // A heartbeat has no id, so that it cannot move the cursor past what is kept.
    await reader.got('heartbeat');
    const { epoch } = await gateway.snapshot('resume');
    assert.deepEqual(reader.seen.map(placed), ['snapshot 0', 'operation 1', 'operation 2', 'operation 3', 'heartbeat']);
    way.cut();
    await gateway.publish('resume', [operation('resume', 'a', { seq: 4, current: 4 })]);
    await reader.got('heartbeat', 2);
    assert.deepEqual(reader.asked, [null, `${epoch}:1`, `${epoch}:3`]);
    const { duplicate, stale } = reader.index.outcomes;
    came('resume-cursor', {
      sent: 'cut after the first of four events, and after a heartbeat',
      peer: `Last-Event-ID ${reader.asked
        .slice(1)
        .map((id) => id?.split(':')[1])
        .join(' and ')}; ${reader.seen.slice(2).map(placed).join(', ')}`,
      ours: `${reader.index.find('a')?.current}; ${duplicate + stale} doubled`,
    });
  });
  it('gets a snapshot where it begins anew, or goes on by the address', async () => {
    const anew = read('resume');
    await anew.got('snapshot');
    came('resume-none', {
      sent: 'a new EventSource after four events',
      peer: anew.seen.map(placed).join(', '),
      ours: `${anew.index.find('a')?.current}`,
    });
    const { epoch } = await gateway.snapshot('resume');
    const byAddress = read('resume', `?cursor=${encodeURIComponent(`${epoch}:2`)}`);
    await byAddress.got('heartbeat');
    assert.deepEqual(byAddress.seen.map(placed), ['operation 3', 'operation 4', 'heartbeat']);
    const strange = read('resume', '?cursor=elsewhere:2');
    await strange.got('snapshot');
    assert.deepEqual(
      strange.seen.map(({ name }) => name),
      ['resync', 'snapshot'],
    );
  });
});
