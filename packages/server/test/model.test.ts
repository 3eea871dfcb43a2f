import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Snapshot, StreamEvent } from '@sitrep/schema/wire';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Store } from '@sitrep/server/store';
import { step } from './steps.ts';
import { TestClock } from './support.ts';

/** A reader that follows by the rules: other epoch or gap is a fault here, because the gateway must never cause one. */
class Follower {
  index: SessionIndex | undefined;
  epoch = '';
  seq = 0;
  cursor: string | undefined;

  take(event: StreamEvent): void {
    if (event.type === 'snapshot') {
      this.index = new SessionIndex('s');
      this.index.load(event);
      this.epoch = event.epoch;
      this.seq = event.seq;
    } else if (event.type === 'heartbeat') {
      assert.deepEqual([event.epoch, event.seq], [this.epoch, this.seq], 'a gap');
    } else if (event.type === 'resync') {
      this.seq = -1;
    } else if (event.type === 'changes') {
      assert.fail('a reader in process is told every event');
    } else if (event.type !== 'end') {
      assert.equal(this.index?.apply(event).outcome, 'applied', 'what is in the log applies at the reader');
      this.seq += 1;
    }
    this.cursor = `${this.epoch}:${this.seq}`;
  }
}

const comparable = (snapshot: Snapshot): unknown => ({ ...snapshot, at: 0 });

async function follow(
  open: () => Store,
  steps: readonly { do: string; entries?: readonly unknown[]; body?: unknown }[],
  log: number,
): Promise<void> {
  const clock = new TestClock();
  const options = { clock, idleSessions: 1, log: () => undefined };
  let gateway = createGateway({ store: open(), ...options });
  const follower = new Follower();
  let stop = gateway.subscribe('s', (event) => follower.take(event));
  const reconnect = async (): Promise<void> => {
    stop();
    stop = gateway.subscribe('s', (event) => follower.take(event), { cursor: follower.cursor });
    // A subscription begins within one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  };
  await gateway.snapshot('s');
  for (const now of steps) {
    clock.advance(1);
    if (now.do === 'publish') await gateway.publish('s', now.entries ?? []);
    if (now.do === 'put') await gateway.putCard('s', now.body);
    if (now.do === 'forget') {
      stop();
      await gateway.publish('other', [{ type: 'operation', id: 'x' }]);
      await gateway.publish('another', [{ type: 'operation', id: 'x' }]);
      if (log > 0)
        await gateway.publish(
          's',
          Array.from({ length: log }, (_, n) => ({ type: 'operation', id: 'flood', message: `${n}` })),
        );
      await reconnect();
    }
    if (now.do === 'restart') {
      await gateway.close({ end: false });
      gateway = createGateway({ store: open(), ...options });
      await reconnect();
    }
    if (now.do === 'reconnect') await reconnect();
  }
  const truth = await gateway.snapshot('s');
  assert.equal(follower.seq, truth.seq);
  assert.deepEqual(comparable(follower.index?.snapshot(0, follower.epoch, follower.seq) as Snapshot), comparable(truth));
  stop();
  await gateway.close();
}

describe('a reader of a gateway', () => {
  it('ends where the gateway is, whatever was written, dropped from memory and resumed', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), fc.constantFrom(0, 0, 12), async (steps, flood) => {
        const store = createMemoryStore({ events: 10 });
        // A restart keeps the store: only its file would survive a real one.
        const open = (): Store => ({ ...store, close: async () => undefined });
        await follow(open, steps, flood);
      }),
      { numRuns: 400 },
    );
  });

  it('does so over a store file that is closed and opened again', { timeout: 240_000 }, async (t) => {
    const directory = mkdtempSync(join(tmpdir(), 'sitrep-model-'));
    t.after(() => rmSync(directory, { recursive: true, force: true }));
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), fc.constantFrom(0, 12), async (steps, flood) => {
        const file = join(directory, `${(n += 1)}.db`);
        await follow(() => createSqliteStore(file, { events: 10 }), steps, flood);
      }),
      { numRuns: 60 },
    );
  });
});
