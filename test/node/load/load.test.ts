import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GatewayProcess } from '../../../bench/load/gateway-process.ts';
import { sessionName } from '../../../bench/load/publisher.ts';
import { Readers, sseRequest } from '../../../bench/load/readers.ts';
import { limitsFor, runLoad } from '../../../bench/load/run.ts';
import type { Load } from '../../../bench/load/run.ts';

const LOAD: Load = { clients: 50, sessions: 3, rate: 20, seconds: 2, transport: 'sse', store: 'memory', flushMs: 0, operations: 5 };

describe('a gateway under load', () => {
  for (const [name, more] of [
    ['over server-sent events', {}],
    ['over WebSocket', { transport: 'ws' }],
    ['with events gathered', { flushMs: 100, rate: 100 }],
  ] as const) {
    it(`loses nothing, repeats nothing and closes on nobody, ${name}`, { timeout: 240_000 }, async () => {
      const result = await runLoad({ ...LOAD, ...more }, () => undefined);
      assert.equal(result.lost, 0);
      assert.equal(result.deliveries, LOAD.clients * (more.rate ?? LOAD.rate) * LOAD.seconds);
    });
  }

  it(
    'keeps for readers that do not read what their connections are busy with, and one share of what waits',
    { timeout: 240_000 },
    async () => {
      const gateway = await GatewayProcess.start('memory', [...limitsFor(200, 0), 'eventBytes=100000']);
      const readers = new Readers();
      try {
        const { port } = gateway;
        const path = `/v1/sessions/${sessionName(0)}`;
        const fill = async (): Promise<void> => {
          for (let n = 0; n < 120; n += 1) {
            const events = Array.from({ length: 50 }, (_, k) => ({
              type: 'operation',
              id: `op-${k}`,
              current: n,
              ext: { pad: 'p'.repeat(4_000) },
            }));
            const answer = await fetch(`http://127.0.0.1:${port}${path}/events`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(events),
            });
            assert.equal(answer.status, 200);
            await answer.arrayBuffer();
          }
        };
        await fill();
        const before = await gateway.used(true);
        const asked = sseRequest(`${path}/stream`);
        await readers.ask({ do: 'open', group: 'paused', port, count: 50, merged: true, paused: true, ...asked });
        // 25 MB for each of them, far more than the system takes.
        await fill();
        const { external, heap } = await gateway.used(true);
        // What one is busy with is the batch that was too much, and all of them are busy with much the same.
        assert.ok(external - before.external < 16e6, `${external - before.external} bytes outside the heap`);
        assert.ok(heap - before.heap < 8e6, `${heap - before.heap} bytes of heap`);
      } finally {
        readers.end();
        await gateway.stop();
      }
    },
  );
});
