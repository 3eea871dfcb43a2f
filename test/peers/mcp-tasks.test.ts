import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { TaskStatusNotificationV1Schema } from '@modelcontextprotocol/ext-tasks/core/v1';
import { TaskStatusNotificationV2Schema } from '@modelcontextprotocol/ext-tasks/core/v2';
import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import type { Dialect } from '@sitrep/schema/dialect';
import { createEncoder } from '@sitrep/schema/translate';
import type { OperationEvent } from '@sitrep/schema/wire';

const FIXTURES = new URL('../../packages/schema/fixtures/', import.meta.url);
const STATES = ['pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const;

const EVENTS: readonly OperationEvent[] = STATES.flatMap((state): OperationEvent[] => [
  { type: 'operation', session: 's', id: state, at: 1_785_578_400_000, run: 'r', seq: 1, title: 'Deploy', current: 1, total: 3 },
  { type: 'operation', session: 's', id: state, at: 1_785_578_401_000.5, run: 'r', seq: 2, state, message: 'Uploading' },
  { type: 'operation', session: 's', id: state, at: 1_785_578_402_000, run: 'r', seq: 3, usage: { tokens: 5 } },
]);

interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
}

for (const [name, dialect, schema] of [
  ['mcp-tasks', mcpTasks, TaskStatusNotificationV1Schema],
  ['mcp-tasks-2026', mcpTasks2026, TaskStatusNotificationV2Schema],
] as const) {
  describe(`@modelcontextprotocol/ext-tasks 0.2.2 and ${name}`, () => {
    const reads = (frame: unknown): void => {
      const result = (schema as unknown as Schema).safeParse(frame);
      assert.ok(result.success, `${JSON.stringify(frame)}: ${String(result.error)}`);
    };
    it('reads every notification we write, in every state, whether an event says all or only what changed', () => {
      const encoder = createEncoder(dialect as Dialect<unknown>, 's');
      let written = 0;
      for (const event of EVENTS) {
        for (const frame of [...dialect.encode(event), ...encoder.encode(event)]) {
          reads(JSON.parse(JSON.stringify(frame)));
          written += 1;
        }
      }
      assert.ok(written >= EVENTS.length * 2 - STATES.length);
    });
    it('reads the notifications of our fixtures that hold nothing but words of its revision', () => {
      let read = 0;
      for (const file of ['every-state', 'whole-event', 'final-is-final', ...(name === 'mcp-tasks' ? [] : ['whom-it-waits-on'])]) {
        assert.ok(readdirSync(new URL(`${name}/`, FIXTURES)).includes(`${file}.json`));
        const { input } = JSON.parse(readFileSync(new URL(`${name}/${file}.json`, FIXTURES), 'utf8')) as { input: unknown[] };
        for (const frame of input) {
          // A request of a later revision is one of the cases.
          if (JSON.stringify(frame).includes('payment/create')) continue;
          reads(frame);
          read += 1;
        }
      }
      assert.ok(read > 8);
    });
  });
}
