import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { agUi } from '@sitrep/schema/dialect/ag-ui';
import { aiSdk } from '@sitrep/schema/dialect/ai-sdk';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { expand } from './run-fixture.ts';
import type { Fixture } from './run-fixture.ts';

const ROOT = new URL('../../fixtures/', import.meta.url);
const AT = 1000;

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function decoded(dialect: Dialect<unknown>, frames: readonly unknown[], context: object): ProgressEvent[] {
  const decoder = createDecoder(dialect, { session: 'chat-1', ...context });
  return frames.flatMap((frame) => {
    const read = decoder.decode(frame, AT);
    return read.ok ? read.events.map(plain) : [];
  });
}

function records(events: readonly ProgressEvent[]): unknown {
  const index = new SessionIndex('chat-1');
  for (const event of events) index.apply(event);
  return index.snapshot(0, 'e', 0);
}

for (const dialect of [agUi, aiSdk] as readonly Dialect<unknown>[]) {
  describe(`what was read from ${dialect.name} and is written to it again`, () => {
    for (const file of readdirSync(new URL(`${dialect.name}/`, ROOT)).sort()) {
      it(`makes the same records: ${file}`, () => {
        const fixture = JSON.parse(readFileSync(new URL(`${dialect.name}/${file}`, ROOT), 'utf8')) as Fixture;
        const input = fixture.input.map(expand);
        const events = fixture.direction === 'out' ? (input as ProgressEvent[]) : decoded(dialect, input, { ...fixture.context });
        const encoder = createEncoder(dialect, 'chat-1');
        const frames = events.flatMap((event) => encoder.encode(event)).map(plain);
        assert.deepEqual(records(decoded(dialect, frames, {})), records(events));
      });
    }
  });
}
