import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { createSession } from 'better-sse';
import type { Session } from 'better-sse';
import { createSseSource } from '@sitrep/client/sse';
import { createStore } from '@sitrep/client/store';
import type { Diagnostic, SessionView, Store } from '@sitrep/client';
import type { OperationEvent } from '@sitrep/schema/wire';
import { operation, SCENES } from './eventsource/scenes.ts';
import { recorder } from './record.ts';

const came = recorder('better-sse', { peer: 'better-sse 0.16.1', transport: 'its stream over HTTP, read by our source' });

/** Where a session of the server stands: everything said so far, and who listens. */
interface Log {
  readonly events: OperationEvent[];
  readonly listeners: Set<Session>;
  /** The `Last-Event-ID` of each request. */
  readonly asked: string[];
}

describe('a stream of the library better-sse in our source', () => {
  let server: Server;
  let url: string;
  const logs = new Map<string, Log>();
  const stores: Store[] = [];

  before(async () => {
    server = createServer((request, response) => void serve(String(request.url).slice(1), request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    for (const store of stores) store.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  async function serve(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = await createSession(request, response, { retry: 250, keepAlive: 50 });
    const log = logOf(name);
    log.asked.push(session.lastId);
    log.listeners.add(session);
    session.on('disconnected', () => log.listeners.delete(session));
    // What came after the position the reader gave, or all of it.
    const from = session.lastId === '' ? 0 : Number(session.lastId.split(':')[1]);
    log.events.slice(from).forEach((event, index) => session.push(event, event.type, `e:${from + index + 1}`));
  }

  function logOf(name: string): Log {
    const log = logs.get(name) ?? { events: [], listeners: new Set(), asked: [] };
    logs.set(name, log);
    return log;
  }

  /** Says events to whoever listens, in one write. */
  async function say(name: string, events: readonly OperationEvent[]): Promise<void> {
    const log = logOf(name);
    const from = log.events.length;
    log.events.push(...events);
    for (const session of log.listeners) {
      await session.batch((buffer) => events.forEach((event, index) => buffer.push(event, event.type, `e:${from + index + 1}`)));
    }
  }

  function read(name: string): {
    store: Store;
    diagnostics: Diagnostic[];
    until(is: (view: SessionView) => boolean): Promise<SessionView>;
  } {
    const diagnostics: Diagnostic[] = [];
    // Its keep-alives are comments, which say nothing about the other end.
    const source = createSseSource({ url: `${url}/${name}`, heartbeatInterval: Infinity });
    const store = createStore({ source, session: name, quantum: 1, onDiagnostic: (each) => diagnostics.push(each) });
    stores.push(store);
    const until = (is: (view: SessionView) => boolean): Promise<SessionView> =>
      new Promise((resolve) => {
        store.subscribe((view) => is(view) && resolve(view));
      });
    return { store, diagnostics, until };
  }

  /** Says one scenario to a reader that is there already, and one thing more by which it is known to have read all. */
  async function play(scene: string): Promise<{ store: Store; diagnostics: Diagnostic[] }> {
    const reader = read(scene);
    await reader.until(({ connection }) => connection.state === 'live');
    while (logOf(scene).listeners.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await say(scene, [...(SCENES[scene]?.(scene) ?? []), operation(scene, 'last', { state: 'completed' })]);
    await reader.until(({ operations }) => operations.some(({ id }) => id === 'last'));
    return reader;
  }

  const pushed = (scene: string): string => `events pushed: ${logOf(scene).events.length - 1}`;

  it('takes a burst in one write', async () => {
    const { store } = await play('burst');
    const { state, current, total } = store.operation('a') ?? {};
    came('burst', {
      sent: 'a start, four amounts and an end in one write',
      peer: pushed('burst'),
      ours: `${state}, ${current} of ${total}`,
    });
  });
  it('drops what comes too late', async () => {
    const { store, diagnostics } = await play('late');
    const { state, title } = store.operation('a') ?? {};
    came('late', {
      sent: 'completed, then running',
      peer: pushed('late'),
      ours: `${state}, "${title}"; told of: ${diagnostics.map(({ code }) => code).join(', ') || 'nothing'}`,
    });
  });
  it('takes amounts as they are', async () => {
    const { store } = await play('amounts');
    const { current, total } = store.operation('a') ?? {};
    came('amounts', { sent: '20, 20, 80, 40 of 100', peer: pushed('amounts'), ours: `${current} of ${total}` });
  });
  it('takes two alike apart, three deep, cancelled and denied', async () => {
    const alike = (await play('concurrent')).store;
    came('concurrent', {
      sent: 'two of bash, the second completed, then the first failed',
      peer: pushed('concurrent'),
      ours: ['a', 'b'].map((id) => `${id} ${alike.operation(id)?.state}`).join(', '),
    });
    const nested = (await play('nested')).store;
    came('nested', {
      sent: 'three, each in the one before',
      peer: pushed('nested'),
      ours: `inner in ${String(nested.operation('inner')?.parent)} in ${String(nested.operation('middle')?.parent)}`,
    });
    const stopped = (await play('cancel-completed')).store.operation('a');
    came('cancel-completed', {
      sent: 'a request to cancel, then completed',
      peer: pushed('cancel-completed'),
      ours: `${stopped?.state}${stopped?.cancelRequested ? ', asked to cancel' : ''}`,
    });
    const refused = (await play('denied')).store.operation('a');
    came('denied', { sent: 'a denial', peer: pushed('denied'), ours: `${refused?.state} (${refused?.error?.message})` });
  });
  it('passes over a state nobody knows, and reads on', async () => {
    const { store, diagnostics } = await play('unknown-state');
    const { state, message } = store.operation('a') ?? {};
    came('unknown-state', {
      sent: 'state "dreaming", then a message',
      peer: pushed('unknown-state'),
      ours: `${state}, "${message}"; told of: ${diagnostics.map(({ code }) => code).join(', ') || 'nothing'}`,
    });
  });
  it('is live while nothing is said', async () => {
    const { store, until } = read('silence');
    const { connection, operations } = await until((view) => view.connection.state === 'live');
    came('silence', {
      sent: 'nothing but comments',
      peer: 'headers and comments',
      ours: `${connection.state}, ${operations.length} operations`,
    });
    assert.equal(store.getSnapshot().loaded, false);
  });
  it('goes on where it was cut off, with nothing doubled and nothing missing', async () => {
    const { store, until } = read('resume');
    await until(({ connection }) => connection.state === 'live');
    while (logOf('resume').listeners.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await say('resume', [operation('resume', 'a', { seq: 1, state: 'running', current: 1 })]);
    await until(({ operations }) => operations.length === 1);
    server.closeAllConnections();
    await until(({ connection }) => connection.state === 'reconnecting');
    await say('resume', [operation('resume', 'a', { seq: 2, current: 2 }), operation('resume', 'a', { seq: 3, current: 3 })]);
    await until(({ operations }) => operations[0]?.current === 3);
    assert.deepEqual(logOf('resume').asked, ['', 'e:1']);
    const { duplicate, stale, applied } = store.outcomes;
    came('resume-cursor', {
      sent: 'cut after the first of three events',
      peer: `lastId "${logOf('resume').asked[1]}"`,
      ours: `${store.operation('a')?.current}; ${applied} applied, ${duplicate + stale} doubled`,
    });
  });
  it('takes everything again where it begins anew', async () => {
    const { store, until } = read('resume');
    await until(({ operations }) => operations[0]?.current === 3);
    came('resume-none', {
      sent: 'a new reader after three events',
      peer: `lastId "${logOf('resume').asked[2]}"`,
      ours: `${store.operation('a')?.current}; ${store.outcomes.applied} applied`,
    });
  });
  it('asks no more once it was told that nothing will come', async () => {
    const { until } = read('over');
    await until(({ connection }) => connection.state === 'live');
    while (logOf('over').listeners.size === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const session of logOf('over').listeners) session.push({ type: 'end', reason: 'closed' }, 'end', 'e:1');
    await until(({ connection }) => connection.state === 'ended');
    assert.equal(logOf('over').asked.length, 1);
  });
});
