import { setTimeout as sleep } from 'node:timers/promises';
import { createReporter, currentReporter } from '@sitrep/harness/reporter';
import type { MemorySink } from '@sitrep/harness/sink';
import type { ToolTable } from '@sitrep/harness/openai';
import type { OperationEvent } from '@sitrep/schema/wire';
import { SessionIndex } from '@sitrep/schema/reduce';

/** Tools of every kind a harness may have: what they report, answer and throw. */
export function toolTable(sink: MemorySink): ToolTable {
  return {
    async scan({ files }: { files: number }, { callId }) {
      for (let current = 1; current <= files; current += 1) {
        await Promise.resolve();
        currentReporter()?.update({ current, total: files });
      }
      return { callId, files };
    },
    async nest(_input: object, _context, reporter) {
      await createReporter({ sink, session: 's', id: `${reporter.id}-inside`, throttleMs: 0 }).track(async (inner) => {
        await Promise.resolve();
        inner.update({ message: 'inside' });
      });
      return 'nested';
    },
    async *stream({ rows }: { rows: number }) {
      for (let row = 1; row <= rows; row += 1) {
        currentReporter()?.update({ current: row });
        yield `row ${row}`;
      }
    },
    silent: () => undefined,
    fail() {
      throw new Error('disk full');
    },
    slow: (_input: object, { signal }) => sleep(60_000, undefined, { signal }),
  };
}

/** What the session shows of each call: state, amounts, parent and why. */
export function storyOf(sink: MemorySink): Record<string, unknown> {
  const index = new SessionIndex('s');
  for (const event of sink.events) index.apply(event);
  return Object.fromEntries(
    [...index.operations.values()].map(({ id, state, current, total, parent, reason, error, tool }) => [
      String(id),
      [tool?.name, state, current, total, parent, reason ?? error?.message].map((each) => each ?? null),
    ]),
  );
}

/** The events without their times. */
export function eventsOf(sink: MemorySink): unknown[] {
  return (sink.events as readonly OperationEvent[])
    .map((event) => ({ ...event, at: 0 }))
    .toSorted((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
