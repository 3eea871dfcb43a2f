/** Posts marked events to a gateway, so many a second. Each session has a connection of its own, so that its events stay in order. */
import { Agent, request } from 'node:http';
import { mark } from './marks.ts';

export interface PublishOptions {
  readonly port: number;
  readonly sessions: number;
  /** Events a second of each session. */
  readonly rate: number;
  readonly seconds: number;
  /** Operations of a session that its events are of, in turn. */
  readonly operations: number;
  /** Number of the first event. */
  readonly from: number;
}

/** Name of a session, by number. */
export const sessionName = (n: number): string => `load-${n}`;

/** Posts events in even steps and answers the number of the last one of each session. Rejects when one was not taken. */
export async function publish({ port, sessions, rate, seconds, operations, from }: PublishOptions): Promise<number> {
  const agents = Array.from({ length: sessions }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const total = Math.max(1, Math.round(rate * seconds));
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < total; n += 1) {
    for (let session = 0; session < sessions; session += 1) {
      // Sessions take their turns within a step.
      await until(began + ((n + session / sessions) * 1_000) / rate);
      under.push(post(agents[session] as Agent, port, session, from + n, operations));
    }
  }
  await Promise.all(under);
  for (const agent of agents) agent.destroy();
  return from + total - 1;
}

function loadEvent(n: number, operations: number): object {
  return { type: 'operation', id: `op-${n % operations}`, state: 'running', title: 'Compile', current: n, ext: mark(n) };
}

/** Posts one event of a session. */
export function post(agent: Agent, port: number, session: number, n: number, operations: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const path = `/v1/sessions/${sessionName(session)}/events`;
    const headers = { 'content-type': 'application/json', host: 'localhost' };
    const outgoing = request({ agent, port, host: '127.0.0.1', method: 'POST', path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () =>
        text.includes('"outcome":"applied"') ? resolve() : reject(new Error(`an event was answered ${text.slice(0, 200)}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(loadEvent(n, operations)));
  });
}

/** Number of the last event that `fill` posts. */
export const FILLED = 1_199;

/** Posts as many events of a session as a store keeps by default, and some more. */
export async function fill(port: number, session: number, operations: number): Promise<void> {
  for (let from = 0; from <= FILLED; from += 400) {
    const events = Array.from({ length: 400 }, (_, k) => loadEvent(from + k, operations));
    const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions/${sessionName(session)}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    if (answer.status !== 200) throw new Error(`a request was answered ${answer.status}`);
    await answer.arrayBuffer();
  }
}

async function until(time: number): Promise<void> {
  const left = time - performance.now();
  if (left > 1) await new Promise((resolve) => setTimeout(resolve, left));
}
