/** One load on a real gateway, and what it came to. */
import { Agent } from 'node:http';
import { GatewayProcess } from './gateway-process.ts';
import { post, publish, sessionName } from './publisher.ts';
import { Readers, socketRequest, sseRequest } from './readers.ts';

export interface Load {
  readonly clients: number;
  readonly sessions: number;
  /** Events a second that each client is sent. */
  readonly rate: number;
  readonly seconds: number;
  readonly transport: 'sse' | 'ws';
  readonly store: string;
  /** Milliseconds over which the gateway gathers events; 0 for none. */
  readonly flushMs: number;
  /** Operations that the events of a session are of. */
  readonly operations: number;
}

export interface LoadResult {
  readonly events: number;
  readonly deliveries: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of the gateway's processor time for each delivery, everything it did counted. */
  readonly cpu: number;
  /** Share of one core that the gateway used. */
  readonly cores: number;
  /** Bytes of the gateway that each idle client cost. */
  readonly heap: number;
  readonly external: number;
  readonly resident: number;
  /** Events that did not come, came twice or out of order, and readers that did not get to the end or were closed. */
  readonly lost: number;
}

/** Limits of a gateway that lets in so many clients of one address, and of one session. */
export function limitsFor(clients: number, flushMs: number): string[] {
  const room = clients + 100;
  return [
    ...['clientLimit', 'sessionClientLimit', 'addressClientLimit'].map((name) => `${name}=${room}`),
    'rateLimit=100000',
    // Bare readers of a WebSocket answer no ping.
    'slowClientMs=3600000',
    ...(flushMs > 0 ? [`flushMs=${flushMs}`] : []),
  ];
}

/** Runs a load once, in processes of its own. */
export async function runLoad(load: Load, progress: (text: string) => void): Promise<LoadResult> {
  const { clients, sessions, rate, seconds, transport, flushMs, operations } = load;
  const gateway = await GatewayProcess.start(load.store, limitsFor(clients, flushMs));
  const readers = new Readers();
  const agent = new Agent({ keepAlive: true });
  try {
    const { port } = gateway;
    const each = (session: number): number => Math.floor((clients * (session + 1)) / sessions) - Math.floor((clients * session) / sessions);
    // What is made once for everybody is not any client's.
    for (let session = 0; session < sessions; session += 1) await post(agent, port, session, 0, operations);
    await wait(200);
    const empty = await gateway.used(true);
    progress('connecting');
    const groups = Array.from({ length: sessions }, (_, session) => sessionName(session));
    for (const [session, group] of groups.entries()) {
      const path = `/v1/sessions/${group}/${transport === 'sse' ? 'stream' : 'socket'}`;
      const asked = transport === 'sse' ? sseRequest(path) : socketRequest(path, 'sitrep.v1');
      await readers.ask({ do: 'open', group, port, count: each(session), merged: flushMs > 0, ...asked });
    }
    for (let session = 0; session < sessions; session += 1) await post(agent, port, session, 1, operations);
    for (const group of groups) await readers.ask({ do: 'await', group, n: 1, timeout: 60_000 });
    await wait(1_000);
    const full = await gateway.used(true);
    progress(`${seconds} s of load`);
    const before = await gateway.used(false);
    const began = performance.now();
    const last = await publish({ port, sessions, rate, seconds, operations, from: 2 });
    const seen = await Promise.all(groups.map((group) => readers.ask({ do: 'await', group, n: last, timeout: 30_000 })));
    const elapsed = (performance.now() - began) / 1_000;
    const after = await gateway.used(false);
    const events = (last - 1) * sessions;
    const deliveries = groups.reduce((sum, _, session) => sum + (last - 1) * each(session), 0);
    const marks = seen.reduce((sum, one) => sum + one.marks, 0);
    const missing = flushMs > 0 ? 0 : Math.abs(deliveries - marks);
    return {
      events,
      deliveries,
      perSecond: deliveries / elapsed,
      p50: Math.max(...seen.map(({ p50 }) => p50)),
      p99: Math.max(...seen.map(({ p99 }) => p99)),
      cpu: (after.cpu - before.cpu) / deliveries,
      cores: (after.cpu - before.cpu) / 1e6 / elapsed,
      heap: (full.heap - empty.heap) / clients,
      external: (full.external - empty.external) / clients,
      resident: (full.resident - empty.resident) / clients,
      lost: missing + seen.reduce((sum, { faults, behind, closed }) => sum + faults + behind + closed, 0),
    };
  } finally {
    agent.destroy();
    readers.end();
    await gateway.stop();
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
