import { isFinal } from '../wire/states.ts';
import type { Run, RunEvent } from '../wire/run.ts';
import { orderFinality } from './ordering.ts';
import type { Reduced } from './outcome.ts';

type Draft = { -readonly [Field in keyof Run]: Run[Field] };

const MERGED = ['parent', 'startedAt', 'endedAt', 'reason'] as const satisfies readonly (keyof Run)[];

/**
 * Moves one run by one event of the same session and run. The first final state wins; the same state again may still
 * add an absent reason or end. Ending the operations of a run that ended is the index's part.
 */
export function reduceRun(record: Run | undefined, event: RunEvent): Reduced<Run> {
  if (record === undefined) return { state: build(event, { run: event.run, state: event.state, updatedAt: event.at }), outcome: 'applied' };
  switch (orderFinality(record.state, event.state)) {
    case 'late':
      return { state: record, outcome: 'late' };
    case 'enrich':
      return enrich(record, event);
    case 'merge':
      return merge(record, event);
  }
}

function merge(record: Run, event: RunEvent): Reduced<Run> {
  const same = event.state === record.state && event.at === record.updatedAt && MERGED.every((field) => isKept(record, event, field));
  if (same) return { state: record, outcome: 'duplicate' };
  return { state: build(event, { ...record, state: event.state, updatedAt: event.at }), outcome: 'applied' };
}

function enrich(record: Run, event: RunEvent): Reduced<Run> {
  const added = (['endedAt', 'reason'] as const).filter(
    (field) => record[field] === undefined && (event[field] ?? undefined) !== undefined,
  );
  if (added.length === 0) return { state: record, outcome: MERGED.every((field) => isKept(record, event, field)) ? 'duplicate' : 'late' };
  const draft: Draft = { ...record, updatedAt: event.at };
  for (const field of added) assign(draft, field, event[field]);
  return { state: Object.freeze(draft), outcome: 'applied' };
}

function isKept(record: Run, event: RunEvent, field: (typeof MERGED)[number]): boolean {
  const value = event[field];
  return value === undefined || (value ?? undefined) === record[field];
}

/** Merges the event's fields and stamps the times that follow from its state. */
function build(event: RunEvent, draft: Draft): Run {
  for (const field of MERGED) {
    const value = event[field];
    if (value === null) delete draft[field];
    else if (value !== undefined) assign(draft, field, value);
  }
  if (event.state === 'running' && event.startedAt === undefined) draft.startedAt ??= event.at;
  if (isFinal(event.state)) draft.endedAt = event.endedAt ?? event.at;
  return Object.freeze(draft);
}

function assign<Field extends keyof Draft>(draft: Draft, field: Field, value: unknown): void {
  draft[field] = value as Draft[Field];
}
