import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createSharedSource } from '@sitrep/client';
import type { Clock, SharedSourceOptions } from '@sitrep/client';
import { manualClock, settle } from '../support/clock.ts';
import { operation } from '../support/events.ts';
import { history } from '../support/history.ts';
import { origin } from '../support/pages.ts';
import type { Page } from '../support/pages.ts';
import { recorder } from '../support/sink.ts';
import type { Recorder } from '../support/sink.ts';

interface Tab {
  readonly page: Page;
  readonly sink: Recorder;
  readonly done: Promise<void>;
  close(): void;
}

function browser(more: Partial<SharedSourceOptions> = {}) {
  const server = history();
  const clock: Clock & ReturnType<typeof manualClock> = manualClock(1_800_000_000_000);
  const all = origin();
  return {
    server,
    clock,
    all,
    tab(): Tab {
      const page = all.page();
      const sink = recorder();
      const controller = new AbortController();
      const source = createSharedSource({
        name: 's',
        source: server.source,
        clock,
        locks: page.locks,
        channel: page.channel,
        random: () => 0,
        ...more,
      });
      return { page, sink, done: source.open(sink, controller.signal), close: () => controller.abort() };
    },
  };
}

/** The events a page got, by position. */
const events = ({ sink }: Tab): string[] =>
  sink.cursors.filter((cursor, at) => cursor !== undefined && typeOf(sink.frames[at]) !== 'snapshot') as string[];
/** Where a page began: the positions of its snapshots. */
const beginnings = ({ sink }: Tab): (string | undefined)[] => sink.cursors.filter((_, at) => typeOf(sink.frames[at]) === 'snapshot');
const typeOf = (frame: unknown): string => (frame as { type: string }).type;
const positions = (from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, n) => `e:${from + n}`);

describe('pages that share a connection', () => {
  it('have one between them, and hear everything once', async () => {
    const { server, tab, all } = browser();
    const tabs = Array.from({ length: 20 }, tab);
    await settle();
    for (let n = 1; n <= 5; n++) server.add(operation('a', { current: n }));
    await settle();
    assert.equal(server.open, 1);
    for (const each of tabs) {
      assert.deepEqual(events(each), positions(1, 5));
      assert.deepEqual(beginnings(each), ['e:0']);
      assert.equal(each.sink.states.at(-1), 'live');
      assert.deepEqual(each.sink.codes, []);
    }
    const before = all.messages;
    for (let n = 6; n <= 100; n++) server.add(operation('a', { current: n }));
    await settle();
    assert.equal(all.messages - before, 1, 'what comes together goes in one message, however many pages hear it');
    assert.deepEqual(events(tabs[19]!), positions(1, 100));
  });

  it('go on from where they were when the one that leads dies, one after the other', async () => {
    const { server, tab } = browser();
    const tabs = Array.from({ length: 6 }, tab);
    await settle();
    let n = 0;
    const add = async (): Promise<void> => {
      server.add(operation('a', { current: (n += 1) }));
      await settle();
    };
    await add();
    for (const dead of tabs.slice(0, 4)) {
      dead.page.kill();
      // What happens before anybody leads again is asked for by the next.
      server.lose(operation('a', { current: (n += 1) }));
      await settle();
      await add();
    }
    const left = tabs.slice(4);
    for (const each of left) assert.deepEqual(events(each), positions(1, n));
    // What the dead had open is still there in this small world, and asks again for what it missed.
    assert.deepEqual([...new Set(server.cursors)], [undefined, 'e:1', 'e:3', 'e:5', 'e:7']);
    assert.deepEqual(
      left.map(({ sink }) => sink.codes),
      [[], []],
    );
  });

  it('hand the lead over when the page that has it leaves, which closes its connection', async () => {
    const { server, tab } = browser();
    const [first, second] = [tab(), tab()];
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    first.close();
    await first.done;
    await settle();
    assert.equal(server.open, 1);
    server.add(operation('a', { current: 2 }));
    await settle();
    assert.deepEqual(events(second), positions(1, 2));
    assert.deepEqual(events(first), positions(1, 1));
    second.close();
    await second.done;
    assert.equal(server.open, 0);
  });

  it('begin late with a snapshot of what stands, without a word to the server', async () => {
    const { server, tab } = browser();
    tab();
    await settle();
    for (let n = 1; n <= 3; n++) server.add(operation('a', { title: 'Build', current: n }));
    await settle();
    const late = tab();
    await settle();
    assert.equal(server.cursors.length, 1);
    assert.deepEqual(late.sink.cursors, ['e:3']);
    assert.equal((late.sink.frames[0] as { operations: { title: string }[] }).operations[0]?.title, 'Build');
    assert.deepEqual(late.sink.states, ['connecting', 'live']);
  });

  it('begin late with a snapshot too when events come before the answer does', async () => {
    const { server, tab } = browser();
    tab();
    await settle();
    for (let n = 1; n <= 3; n++) server.add(operation(`op-${n}`, { current: n }));
    await settle();
    const late = tab();
    for (let n = 4; n <= 8; n++) server.add(operation(`op-${n}`, { current: n }));
    await settle();
    server.add(operation('op-9', { current: 9 }));
    await settle();
    assert.deepEqual(late.sink.cursors, ['e:8', 'e:9']);
    assert.equal((late.sink.frames[0] as { operations: unknown[] }).operations.length, 8);
  });

  it('begin late with a snapshot even when the very first event comes before the answer does', async () => {
    const { server, tab } = browser();
    tab();
    await settle();
    const late = tab();
    for (let n = 1; n <= 3; n++) server.add(operation('a', { current: n }));
    await settle();
    server.add(operation('a', { current: 4 }));
    await settle();
    assert.deepEqual(late.sink.cursors, ['e:3', 'e:4']);
  });

  it('begin once, however often they had to ask before the answer came', async () => {
    const { server, tab, clock } = browser({ interval: 1_000 });
    const first = tab();
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    first.page.hang();
    const late = tab();
    await clock.advance(3_000);
    for (let n = 2; n <= 4; n++) server.add(operation('a', { current: n }));
    first.page.wake();
    await settle();
    server.add(operation('a', { current: 5 }));
    await settle();
    assert.deepEqual(beginnings(late), ['e:4']);
    assert.deepEqual(events(late), positions(5, 5));
  });

  it('ask the next leader when the one they had asked is gone, though nothing else comes', async () => {
    const { server, tab, clock } = browser();
    const [first, second] = [tab(), tab()];
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    first.page.hang();
    const late = tab();
    await settle();
    first.page.kill();
    await clock.advance(100);
    assert.deepEqual(beginnings(late), ['e:1']);
    assert.equal(late.sink.states.at(-1), 'live');
    assert.deepEqual(events(second), positions(1, 1));
  });

  it('take the lead from a page that holds it and does not answer; when it wakes, it follows', async () => {
    const { server, tab, clock } = browser({ interval: 1_000 });
    const [first, second] = [tab(), tab()];
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    first.page.hang();
    await clock.advance(2_500);
    assert.equal(second.sink.states.at(-1), 'live', 'silence alone is asked about first');
    await clock.advance(1_000);
    await settle();
    assert.deepEqual(second.sink.codes, ['watchdog']);
    assert.equal(second.sink.states.at(-1), 'live');
    first.page.wake();
    await settle();
    server.add(operation('a', { current: 2 }));
    await settle();
    assert.equal(server.open, 1);
    assert.deepEqual(events(first), positions(1, 2));
    assert.deepEqual(events(second), positions(1, 2));
  });

  it('believe a leader whose clock was set back', async () => {
    const { server, tab, clock } = browser();
    const [first, second] = [tab(), tab()];
    await settle();
    clock.jump(-3_600_000);
    const third = tab();
    await settle();
    first.page.kill();
    second.page.kill();
    await settle();
    const fourth = tab();
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    assert.deepEqual([events(third), events(fourth)], [positions(1, 1), positions(1, 1)]);
  });

  it('all end when the one connection has ended', async () => {
    const { server, tab } = browser();
    const tabs = [tab(), tab(), tab()];
    await settle();
    server.add(operation('a', { current: 1 }));
    server.end();
    await Promise.all(tabs.map(({ done }) => done));
    for (const each of tabs) {
      assert.equal(each.sink.states.at(-1), 'ended');
      assert.deepEqual(events(each), positions(1, 1));
    }
  });

  it('pass over what other scripts say on the channel', async () => {
    const { server, tab, all } = browser();
    const [, second] = [tab(), tab()];
    await settle();
    const port = all.page().channel('sitrep:s');
    for (const data of [
      null,
      'frames',
      7,
      { sitrep: 'frames' },
      { sitrep: 'frames', from: 'x', term: 1e300, frames: [] },
      { sitrep: 'frames', from: 'x', term: 2 ** 40, frames: [{ json: '{}' }] },
      { sitrep: 'lead', from: 'x', term: 'y' },
      { sitrep: 'hello', from: 7, term: 0 },
    ])
      port.postMessage(data);
    await settle();
    server.add(operation('a', { current: 1 }));
    await settle();
    assert.deepEqual(events(second!), positions(1, 1));
    assert.deepEqual(second!.sink.codes, []);
  });

  it('have each a connection of their own where the lock or the channel is refused, or there is none', async () => {
    const refused = browser({ locks: { request: () => Promise.reject(new DOMException('opaque origin', 'SecurityError')) } });
    const noChannel = browser({
      channel: () => {
        throw new DOMException('opaque origin', 'SecurityError');
      },
    });
    for (const { server, tab } of [refused, noChannel]) {
      const tabs = [tab(), tab()];
      await settle();
      assert.equal(server.open, 2);
      server.add(operation('a', { current: 1 }));
      for (const each of tabs) assert.deepEqual(events(each), positions(1, 1));
      for (const each of tabs) each.close();
      await Promise.all(tabs.map(({ done }) => done));
      assert.equal(server.open, 0);
    }
  });
});
