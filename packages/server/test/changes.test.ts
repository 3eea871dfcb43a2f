import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Changes, Snapshot, StreamEvent } from '@sitrep/schema/wire';
import { createGateway } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { entry } from './steps.ts';
import { operation, serve, stream, TestClock } from './support.ts';

type Reader = Parameters<Gateway['attach']>[2];

/** A reader over a network that can stop taking anything, as the gateway's own readers do, and then asks for what it missed. */
class Follower implements Reader {
  readonly remote = true;
  index = new SessionIndex('s');
  epoch = '';
  seq = -1;
  paused = false;
  behind = false;
  readonly kinds: string[] = [];

  open(opening: Parameters<Reader['open']>[0]): void {
    this.behind = false;
    if (opening.resumed) {
      opening.events.forEach(({ data }) => this.#take(JSON.parse(data)));
      assert.deepEqual([opening.heartbeat.epoch, opening.heartbeat.seq], [this.epoch, this.seq]);
    } else this.#take(opening.snapshot);
  }

  merged(changes: Changes): void {
    this.behind = false;
    this.#take(changes);
  }

  batch(batch: Parameters<Reader['batch']>[0], delivery: Parameters<Reader['batch']>[1], changes?: Changes): void {
    this.behind ||= this.paused;
    if (this.behind) return;
    if (changes) {
      const bytes = batch.events.reduce(
        (sum, { seq, type, data }) => sum + `id: ${batch.epoch}:${seq}\nevent: ${type}\ndata: ${data}\n\n`.length,
        0,
      );
      assert.ok(delivery.plain.length < bytes + 10 * batch.events.length, 'changes that say more');
      this.#take(changes);
    } else batch.events.forEach(({ data }) => this.#take(JSON.parse(data)));
    assert.deepEqual(batch.end, { epoch: this.epoch, seq: this.seq });
  }

  heartbeat(): void {}

  close(): void {}

  #take(given: StreamEvent): void {
    const event = JSON.parse(JSON.stringify(given)) as StreamEvent;
    this.kinds.push(event.type);
    switch (event.type) {
      case 'snapshot':
        this.index = new SessionIndex('s');
        this.index.load(event);
        this.epoch = event.epoch;
        this.seq = event.seq;
        return;
      case 'changes':
        assert.equal(event.epoch, this.epoch);
        assert.ok(event.after <= this.seq && this.seq < event.seq, `changes from ${event.after} to ${event.seq} at ${this.seq}`);
        assert.equal(this.index.merge(event).outcome, 'applied');
        this.seq = event.seq;
        return;
      case 'heartbeat':
      case 'resync':
      case 'end':
        return assert.fail(event.type);
      default:
        assert.equal(this.index.apply(event).outcome, 'applied');
        this.seq += 1;
    }
  }
}

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('publish' as const), entries: fc.array(entry, { maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 120 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const), who: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const), who: fc.nat(2) }) },
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const comparable = (snapshot: Snapshot): unknown => ({ ...snapshot, at: 0 });

describe('changes in place of events', () => {
  for (const flushMs of [0, 50]) {
    it(`lead a reader to what is stored, wherever it stopped, at a quantum of ${flushMs} ms`, { timeout: 120_000 }, async () => {
      let merged = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), fc.constantFrom(3, 1_000), async (steps, operationLimit) => {
          const clock = new TestClock();
          const gateway = createGateway({ store: createMemoryStore(), clock, flushMs, operationLimit, log: () => undefined });
          const readers = Array.from({ length: 3 }, () => new Follower());
          for (const reader of readers) await gateway.attach('s', undefined, reader);
          const resume = async (reader: Follower): Promise<void> => {
            reader.paused = false;
            if (reader.behind) await gateway.catchUp('s', reader, false, { epoch: reader.epoch, seq: reader.seq });
          };
          for (const now of steps) {
            if (now.do === 'publish') await gateway.publish('s', now.entries);
            else if (now.do === 'wait') clock.advance(now.ms);
            else {
              const reader = readers[now.who] as Follower;
              if (now.do === 'pause') reader.paused = true;
              else if (now.do === 'resume') await resume(reader);
              else {
                gateway.detach('s', reader);
                reader.paused = false;
                await gateway.attach('s', `${reader.epoch}:${reader.seq}`, reader);
              }
            }
            await turn();
          }
          clock.advance(100);
          await turn();
          const truth = await gateway.snapshot('s');
          for (const reader of readers) {
            await resume(reader);
            assert.deepEqual(comparable(reader.index.snapshot(0, reader.epoch, reader.seq)), comparable(truth));
            merged += reader.kinds.filter((kind) => kind === 'changes').length;
          }
          await gateway.close();
        }),
        { numRuns: 300 },
      );
      assert.ok(merged > 100, `only ${merged} changes were sent`);
    });
  }

  it('are shared by readers that stand near one another, and are a snapshot where too much has gone', async () => {
    const gateway = createGateway({ store: createMemoryStore(), operationLimit: 2, log: () => undefined });
    const taken: { changes: Changes; delivery: unknown }[] = [];
    class Keeping extends Follower {
      override merged(changes: Changes, delivery?: unknown): void {
        taken.push({ changes, delivery });
        super.merged(changes);
      }
    }
    const readers = [new Keeping(), new Keeping()];
    for (const reader of readers) {
      await gateway.attach('s', undefined, reader);
      reader.paused = true;
      await gateway.publish('s', [operation('x', { message: `${readers.indexOf(reader)}` })]);
    }
    for (const reader of readers) await gateway.catchUp('s', reader, false, { epoch: reader.epoch, seq: reader.seq });
    assert.equal(taken.length, 2);
    assert.equal(taken[0]?.delivery, taken[1]?.delivery);
    // So many leave the list that not all of them are remembered.
    const [first] = readers;
    for (let n = 0; n < 3; n += 1) {
      await gateway.publish(
        's',
        Array.from({ length: 500 }, (_, k) => operation(`${n}.${k}`, { state: 'completed' })),
      );
    }
    await gateway.catchUp('s', first as Keeping, false, { epoch: (first as Keeping).epoch, seq: (first as Keeping).seq });
    assert.equal(first?.kinds.at(-1), 'snapshot');
    await gateway.close();
  });
});

describe('the flush quantum', () => {
  it('tells the first event and what is urgent at once, and of the rest the newest of each', async (t) => {
    const { url, gateway, clock } = await serve(t, { flushMs: 100 });
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    assert.equal((await reader.next()).event, 'snapshot');
    await gateway.publish('s', [operation('x', { state: 'running', current: 0 })]);
    assert.equal((await reader.next()).data.current, 0);
    for (let n = 1; n <= 10; n += 1) await gateway.publish('s', [operation('x', { current: n })]);
    await gateway.publish('s', [operation('y', { state: 'running' })]);
    clock.advance(100);
    const { event, id, data } = await reader.next();
    assert.deepEqual([event, data.after, data.seq, id], ['changes', 1, 12, `${data.epoch}:12`]);
    assert.deepEqual(
      data.operations.map((record: { id: string; current?: number }) => [record.id, record.current]),
      [
        ['x', 10],
        ['y', undefined],
      ],
    );
    for (const state of ['blocked', 'completed']) {
      await gateway.publish('s', [operation('x', { current: 11 })]);
      await gateway.publish('s', [operation('x', { state })]);
      const urgent = [await reader.next()];
      if (urgent[0]?.event === 'operation' && urgent[0].data.state !== state) urgent.push(await reader.next());
      assert.ok(JSON.stringify(urgent.at(-1)?.data).includes(`"state":"${state}"`));
    }
    clock.advance(100);
    clock.advance(100);
    await turn();
    await gateway.publish('s', [operation('y', { current: 1 })]);
    assert.equal((await reader.next()).data.current, 1, 'after a pause it is told at once');
  });

  it('gives a new reader what was gathered, and a heartbeat that claims no more than was told', async (t) => {
    const { url, gateway, clock } = await serve(t, { flushMs: 10_000, heartbeatMs: 1_000 });
    const reader = stream(t, `${url}/v1/sessions/s/stream`);
    await reader.next();
    for (let n = 1; n <= 3; n += 1) await gateway.publish('s', [operation('x', { current: n })]);
    assert.equal((await reader.next()).data.current, 1);
    clock.advance(1_000);
    const beat = await reader.next();
    assert.deepEqual([beat.event, beat.data.seq], ['heartbeat', 1]);
    const late = stream(t, `${url}/v1/sessions/s/stream`);
    assert.deepEqual((await late.next()).data.seq, 3);
    assert.equal((await reader.next()).data.seq ?? 3, 3);
    await gateway.publish('s', [operation('x', { state: 'completed' })]);
    assert.deepEqual((await late.next()).id, `${beat.data.epoch}:4`);
  });
});
