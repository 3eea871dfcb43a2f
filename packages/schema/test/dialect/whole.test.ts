import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkEvent } from '@sitrep/schema/check';
import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { cardEvent, id, producer, runEvent, runName, sessionEvent } from '../reduce/arbitraries.ts';
import { SESSION } from '../reduce/events.ts';

const clear = fc.record({ id, run: runName }).map(({ id: each, run }) => ({
  type: 'operation.clear' as const,
  session: SESSION,
  id: each,
  at: 60,
  ...(run === undefined ? {} : { run }),
}));
const operations = fc.record({ id, run: runName }).chain((key) => producer(key, 8));

/** Events of one session as they come, whatever their order says of them. */
const events: fc.Arbitrary<ProgressEvent[]> = fc
  .tuple(operations, operations, fc.array(fc.oneof(runEvent, cardEvent, sessionEvent, clear), { maxLength: 8, size: 'max' }))
  .chain((parts) => fc.shuffledSubarray(parts.flat() as ProgressEvent[], { minLength: parts.flat().length }))
  .map((list) => list.flatMap((event) => checked(event)));

/** What the wire takes, as it is after JSON. */
function checked(event: ProgressEvent): ProgressEvent[] {
  const result = checkEvent(JSON.parse(JSON.stringify(event)));
  return result.ok ? [result.value] : [];
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

for (const dialect of Object.values(dialects) as Dialect<unknown>[]) {
  if (dialect.whole.length === 0) continue;
  describe(`our events through the slot of ${dialect.name}`, () => {
    it('come back as they were, each of them, in a session that is told to the peer from its first event on', () => {
      fc.assert(
        fc.property(events, (list) => {
          const encoder = createEncoder(dialect, SESSION);
          const decoder = createDecoder(dialect, { session: SESSION });
          for (const event of list) {
            const applied = encoder.session.outcomes.applied;
            const frames = encoder.encode(event);
            const passedOn = encoder.session.outcomes.applied > applied && dialect.whole.includes(event.type);
            const back = frames.flatMap((frame) => {
              const decoded = decoder.decode(plain(frame), event.at);
              assert.ok(decoded.ok, JSON.stringify(decoded));
              return decoded.events.map(plain);
            });
            if (passedOn) assert.deepEqual(back, [event]);
          }
        }),
        { numRuns: 200 },
      );
    });
    it('come back as they were to a reader that knows nothing of the stream', () => {
      fc.assert(
        fc.property(events, (list) => {
          for (const event of list) {
            if (!dialect.whole.includes(event.type)) continue;
            const back = dialect.encode(event).flatMap((frame) => {
              const decoded = dialect.decode(plain(frame), { session: SESSION, at: event.at });
              return decoded.ok ? decoded.events.map(plain) : [];
            });
            assert.deepEqual(back, [event]);
          }
        }),
        { numRuns: 100 },
      );
    });
  });
}
