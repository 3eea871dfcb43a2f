import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { createSseSource, createStore, type SessionView, type Source } from '@sitrep/client';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { CardRecord, Operation, ProgressEvent, Snapshot } from '@sitrep/schema';
import { fastClock } from '../support/clock.ts';
import { serve } from '../support/server.ts';

/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A session as text, for comparison. */
const canonical = (operations: Iterable<Operation>, { revision, card }: Pick<CardRecord, 'revision' | 'card'>) =>
  JSON.stringify([[...operations].sort((a, b) => String(a.id).localeCompare(String(b.id))), revision, card]);

/**
 * A gateway in small: a bounded log, cursors, snapshots, and on each connection one fault out of the list. It ends its
 * history after `events` events and answers honestly from then on.
 */
function gateway(random: () => number, events: number) {
  const pick = (below: number) => Math.floor(random() * below);
  let epoch = 0;
  let seq = 0;
  let index = new SessionIndex('s');
  let log: { seq: number; event: ProgressEvent }[] = [];
  let written = 0;
  let card = 0;
  const faults: Record<string, number> = {};
  /** What was true at each position: all a reader at that position may show. */
  const truths = new Map<string, string>();
  const name = () => `epoch-${epoch}`;
  const note = () => truths.set(`${name()}:${seq}`, canonical(index.operations.values(), index.card));
  note();

  const write = () => {
    const at = 1_700_000_000_000 + ++written;
    const id = `op-${pick(12)}`;
    const roll = random();
    const event: ProgressEvent =
      roll < 0.1
        ? { type: 'card', session: 's', revision: ++card, at, card: { markdown: `note ${written}` } }
        : roll < 0.15
          ? { type: 'operation.clear', session: 's', id, at }
          : roll < 0.2
            ? { type: 'operation', session: 's', id, at, state: 'completed' }
            : {
                type: 'operation',
                session: 's',
                id,
                at,
                attempt: 1 + Math.floor(written / 60),
                state: 'running',
                message: `step ${written}`,
                current: written,
              };
    if (index.apply(event).outcome !== 'applied') return;
    log.push({ seq: ++seq, event });
    if (log.length > 40) log.shift();
    note();
  };
  const rebirth = () => {
    const kept = index.snapshot(0, name(), seq);
    epoch++;
    seq = pick(5);
    log = [];
    index = new SessionIndex('s');
    index.load(kept as Snapshot);
    note();
  };
  const frame = (event: object, cursor?: number) =>
    `${cursor === undefined ? '' : `id: ${name()}:${cursor}\n`}event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`;
  const begin = (request: IncomingMessage) => {
    const cursor = request.headers['last-event-id'] as string | undefined;
    const [given, at] = cursor ? [cursor.slice(0, cursor.lastIndexOf(':')), Number(cursor.slice(cursor.lastIndexOf(':') + 1))] : [];
    const snapshot = frame(index.snapshot(1_700_000_000_000, name(), seq));
    if (given === undefined || at === undefined) return snapshot;
    const resumable = given === name() && at <= seq && (at === seq || (log[0]?.seq ?? Infinity) <= at + 1);
    if (!resumable) return frame({ type: 'resync', epoch: name(), seq, reason: 'too-old' }) + snapshot;
    return log
      .filter((entry) => entry.seq > at)
      .map((entry) => frame(entry.event, entry.seq))
      .join('');
  };
  const heartbeat = () => frame({ type: 'heartbeat', epoch: name(), seq, at: 1_700_000_000_000 });

  const kinds = [
    'cut',
    'reset',
    'half',
    'silent',
    'status',
    'type',
    'clean',
    'double',
    'drop',
    'reorder',
    'old-snapshot',
    'rebirth',
    'live-rebirth',
    'garbage',
    'lost-tail',
  ] as const;
  const answer = (response: ServerResponse, request: IncomingMessage) => {
    const over = written >= events;
    const kind = over ? 'none' : kinds[pick(kinds.length)]!;
    faults[kind] = (faults[kind] ?? 0) + 1;
    if (kind === 'status')
      return void response.writeHead([429, 500, 502, 503, 408][pick(5)]!, random() < 0.5 ? { 'retry-after': '1' } : {}).end();
    if (kind === 'type') return void response.writeHead(200, { 'content-type': 'text/html' }).write('<h1>sorry');
    const early = frame(index.snapshot(1_700_000_000_000, name(), seq));
    if (kind === 'rebirth') rebirth();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let text = `retry: 300\n\n${begin(request)}`;
    if (kind === 'live-rebirth') rebirth();
    const from = seq;
    for (let left = over ? 0 : 1 + pick(8); left > 0; left--) write();
    let live = log.filter((entry) => entry.seq > from).map((entry) => frame(entry.event, entry.seq));
    if (kind === 'double') live = live.flatMap((one) => [one, one]);
    if (kind === 'drop') live.splice(pick(live.length), 1);
    if (kind === 'lost-tail') live.pop();
    if (kind === 'reorder') live.reverse();
    if (kind === 'garbage')
      live.splice(pick(live.length + 1), 0, 'data: {nonsense\n\n', 'data: {"type":"operation"}\n\n', ': comment\n\n', 'bogus\n\n');
    if (kind === 'old-snapshot') live.push(early);
    text += live.join('') + (kind === 'silent' ? '' : heartbeat());
    if (over) return void response.write(`${text}event: end\ndata: {"type":"end","reason":"done"}\n\n`);
    if (kind === 'lost-tail') {
      // The connection lives on, so that only the heartbeat can tell.
      const beat = setInterval(() => response.write(heartbeat()), 8);
      response.on('close', () => clearInterval(beat));
      return void response.write(text);
    }
    if (kind === 'half') text = text.slice(0, pick(text.length));
    response.write(text, () => {
      if (kind === 'reset' || kind === 'half') response.socket?.resetAndDestroy();
      else if (kind === 'cut') response.destroy();
      else if (kind !== 'silent') response.end();
    });
  };
  return { answer, faults, truths, position: () => `${name()}:${seq}` };
}

for (const seed of [1, 2]) {
  test(`Over hundreds of scripted faults nothing is lost, doubled or turned back (seed ${seed})`, { timeout: 240_000 }, async () => {
    const random = seeded(seed);
    const world = gateway(random, 1_500);
    await using server = await serve(world.answer);
    // 250 times faster than life: 6 s of silence become 25 ms.
    const clock = fastClock(250);
    const inner = createSseSource({ url: server.url, clock, random, maxRetryDelay: 500, heartbeatInterval: 2_500 });
    let wrong: string | undefined;
    let last: SessionView | undefined;
    // After every frame what is shown must be what was true at the position shown, and the position must not go back.
    const look = () => {
      const view = store.getSnapshot();
      const at = `${view.epoch}:${view.seq}`;
      if (view.loaded && canonical(view.operations, view.card) !== world.truths.get(at)) wrong ??= `not the truth at ${at}`;
      if (last && last.epoch === view.epoch && view.seq < last.seq) wrong ??= `${last.seq} then ${view.seq}`;
      last = view;
    };
    const source: Source = {
      open: (sink, signal) => inner.open({ ...sink, frame: (value, cursor) => (sink.frame(value, cursor), look()) }, signal),
    };
    const codes = new Set<string>();
    const store = createStore({ session: 's', clock, linger: 0, source, onDiagnostic: ({ code }) => void codes.add(code) });
    await new Promise<void>((resolve) => {
      store.subscribe(({ connection }) => {
        if (connection.state === 'ended') resolve();
      });
    });
    assert.equal(wrong, undefined);
    const total = Object.values(world.faults).reduce((sum, count) => sum + count, 0) - (world.faults['none'] ?? 0);
    assert.ok(total >= 260, `${total} faults`);
    assert.ok(Object.keys(world.faults).length >= 15, JSON.stringify(world.faults));
    const view = store.getSnapshot();
    assert.equal(`${view.epoch}:${view.seq}`, world.position());
    assert.equal(canonical(view.operations, view.card), world.truths.get(world.position()));
    // The gateway logs only what it applied, so a reader that drops anything as late took something twice or out of turn.
    for (const code of ['late', 'unknown']) assert.ok(!codes.has(code), code);
    for (const code of ['network', 'http_status', 'content_type', 'watchdog', 'json', 'invalid', 'gap', 'stale'])
      assert.ok(codes.has(code), code);
    store.close();
  });
}
