import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore } from '@sitrep/client';
import { recorder } from '../support/sink.ts';
import { BENCHES } from './benches.ts';

/** What every source owes whoever opens it, over whatever it comes. */

const FRAMES = Array.from({ length: 20 }, (_, n) => ({ n }));
const numbers = (frames: readonly unknown[]): unknown[] => frames.filter((frame) => typeof (frame as { n?: unknown }).n === 'number');

for (const [name, bench] of Object.entries(BENCHES)) {
  describe(`the source ${name}`, () => {
    it('delivers every frame once and in order, says how it stands, and resolves when it is over', async () => {
      await using on = await bench();
      const sink = recorder();
      const done = on.source.open(sink, new AbortController().signal);
      await sink.until(() => sink.states.includes('live'));
      for (const frame of FRAMES) await on.send(frame);
      await on.end();
      await done;
      assert.deepEqual(numbers(sink.frames), FRAMES);
      assert.deepEqual(sink.states, ['connecting', 'live', 'ended']);
      assert.deepEqual(sink.codes, []);
    });

    it('is opened by a signal that was aborted before without a word', async () => {
      await using on = await bench();
      const sink = recorder();
      await on.source.open(sink, AbortSignal.abort());
      assert.deepEqual([sink.frames, sink.states, sink.codes], [[], [], []]);
    });

    it('says nothing more once it is closed, and lets go of what it held', async () => {
      await using on = await bench();
      const sink = recorder();
      const controller = new AbortController();
      const done = on.source.open(sink, controller.signal);
      await sink.until(() => sink.states.includes('live'));
      await on.send(FRAMES[0]);
      await sink.until(() => numbers(sink.frames).length === 1);
      controller.abort();
      const { length } = sink.frames;
      const states = [...sink.states];
      await on.send(FRAMES[1]);
      await done;
      while (on.held() > 0) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(sink.frames.length, length);
      assert.deepEqual(sink.states, states);
    });

    it('goes on when whoever listens throws, and says so', async () => {
      await using on = await bench();
      const sink = recorder();
      const { frame } = sink;
      let thrown = false;
      sink.frame = (value, cursor) => {
        frame(value, cursor);
        if (thrown) return;
        thrown = true;
        throw new Error('not this one');
      };
      const done = on.source.open(sink, new AbortController().signal);
      await sink.until(() => sink.states.includes('live'));
      for (const each of FRAMES) await on.send(each);
      await on.end();
      await done;
      assert.deepEqual(numbers(sink.frames), FRAMES);
      assert.deepEqual(sink.codes, ['sink']);
    });

    it('passes over what is no frame with a diagnostic, and reads on', async () => {
      await using on = await bench();
      const sink = recorder();
      const done = on.source.open(sink, new AbortController().signal);
      await sink.until(() => sink.states.includes('live'));
      await on.send(FRAMES[0]);
      await sink.until(() => numbers(sink.frames).length === 1);
      if (on.garble === undefined) {
        // Values come over as they are: then what is no frame is the store's to refuse.
        await on.send('{"a":');
        await on.send(FRAMES[1]);
      } else {
        await on.garble();
        await sink.until(() => sink.codes.includes('json'));
        await on.send(FRAMES[1]);
      }
      await sink.until(() => numbers(sink.frames).length === 2);
      await on.end();
      await done;
      assert.deepEqual(numbers(sink.frames), FRAMES.slice(0, 2));
    });

    it('brings a session to a store, whatever stands in its frames', async () => {
      await using on = await bench();
      const store = createStore({ session: 's', source: on.source });
      const seen = new Promise<void>((resolve) => {
        store.subscribe((view) => {
          if (view.operations[0]?.state === 'completed') resolve();
        });
      });
      const event = { type: 'operation', session: 's', id: 'a', at: 1 };
      await on.send({ type: 'nonsense' });
      await on.send({ ...event, state: 'running', title: 'Build', current: 1, total: 2 });
      await on.send({ ...event, at: 2, state: 'completed' });
      await seen;
      const [operation] = store.getSnapshot().operations;
      assert.deepEqual([operation?.title, operation?.current, operation?.state], ['Build', 1, 'completed']);
      store.close();
    });
  });
}
