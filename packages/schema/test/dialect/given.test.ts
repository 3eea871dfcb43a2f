import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agUi } from '@sitrep/schema/dialect/ag-ui';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';

const EVENTS: readonly ProgressEvent[] = [
  { type: 'run', session: 'chat-1', run: 'turn-1', state: 'running', at: 1000 },
  { type: 'operation', session: 'chat-1', run: 'turn-1', id: 'a', title: 'Build', state: 'running', at: 1001 },
];
const loose = { createDecoder, createEncoder } as unknown as Record<'createDecoder' | 'createEncoder', (...args: unknown[]) => unknown>;

describe('what a decoder and an encoder are given', () => {
  it('may name the session of an encoder as it names that of a decoder', () => {
    const [byName, byObject] = [createEncoder(agUi, 'chat-1'), createEncoder(agUi, { session: 'chat-1' })];
    const frames = EVENTS.map((event) => byObject.encode(event));
    assert.deepEqual(
      frames,
      EVENTS.map((event) => byName.encode(event)),
    );
    assert.ok(frames.flat().length >= 2);
  });
  it('is refused at once when it is no dialect, with what it must be', () => {
    for (const call of ['createDecoder', 'createEncoder'] as const) {
      assert.throws(() => loose[call]('acp', { session: 's' }), {
        name: 'TypeError',
        message: `${call} needs a dialect, such as acp of '@sitrep/schema/dialect/acp', not its name "acp".`,
      });
      for (const none of [undefined, null, {}, 7])
        assert.throws(() => loose[call](none, { session: 's' }), /TypeError: \w+ needs a dialect/);
    }
  });
  it('is refused at once when it names no session', () => {
    for (const none of [undefined, null, {}, { session: '' }, { session: 7 }]) {
      assert.throws(() => loose.createDecoder(agUi, none), TypeError);
      assert.throws(() => loose.createEncoder(agUi, none), /TypeError: createEncoder needs the name of a session: 'chat-1' or/);
    }
    assert.throws(() => loose.createDecoder(agUi, 'chat-1'), /TypeError: createDecoder needs its context as an object/);
  });
});
