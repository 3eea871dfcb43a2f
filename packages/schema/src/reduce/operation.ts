import { isFinal } from '../wire/states.ts';
import type { Operation, OperationEvent } from '../wire/operation.ts';
import type { Draft } from './advance.ts';
import { sameJson } from './equal.ts';
import { frozenCopy } from './frozen.ts';
import { attemptOf, orderOperation } from './ordering.ts';
import type { Reduced } from './outcome.ts';

/** Fields an event merges by the one rule: absent keeps, `null` clears, anything else replaces. */
const MERGED = [
  'title',
  'activeTitle',
  'message',
  'current',
  'total',
  'fraction',
  'unit',
  'kind',
  'tool',
  'parent',
  'reason',
  'error',
  'blockedOn',
  'waitingOn',
  'startedAt',
  'endedAt',
  'cancellable',
  'cancelRequested',
  'ambient',
  'usage',
  'native',
  'ext',
] as const satisfies readonly (keyof OperationEvent & keyof Operation)[];

type Merged = (typeof MERGED)[number];

/** The same as a table without a prototype, for names that come from outside. */
const IS_MERGED = Object.assign(Object.create(null) as Record<Merged, boolean>, Object.fromEntries(MERGED.map((field) => [field, true])));

/** What names the invocation and therefore outlives an attempt. */
const NAMING = ['title', 'activeTitle', 'kind', 'tool', 'parent', 'ambient', 'cancellable'] as const satisfies readonly (keyof Operation)[];

/**
 * Moves one operation by one event of the same session, run and id. Pure: the record is frozen, never changed, and the
 * same reference comes back unless the outcome is `applied`. Without a record the event begins one, `pending` unless it
 * says otherwise. An event without `attempt` speaks of attempt 1.
 */
export function reduceOperation(record: Operation | undefined, event: OperationEvent): Reduced<Operation> {
  if (record === undefined) return { state: begin(undefined, event), outcome: 'applied' };
  const verdict = orderOperation(record, event);
  switch (verdict) {
    case 'merge':
      return merge(record, event);
    case 'afresh':
      return { state: begin(record, event), outcome: 'applied' };
    case 'enrich':
      return enrich(record, event);
    case 'late':
    case 'stale':
    case 'duplicate':
      return { state: record, outcome: verdict };
    default:
      return verdict satisfies never;
  }
}

/** Ends an operation nobody ended, because its run is over. The same reference when it had ended by itself. */
export function interruptOperation(record: Operation, reason: string, endedAt: number, at: number): Operation {
  if (isFinal(record.state)) return record;
  const draft: Draft = { ...record, state: 'interrupted', reason, endedAt, updatedAt: at };
  delete draft.blockedOn;
  delete draft.waitingOn;
  return Object.freeze(draft);
}

/** A first record, or the first of a new attempt: only what names the invocation is taken over. */
function begin(former: Operation | undefined, event: OperationEvent): Operation {
  const draft = { id: event.id } as Draft;
  if (event.run !== undefined) draft.run = event.run;
  draft.attempt = attemptOf(event);
  if (event.seq !== undefined) draft.seq = event.seq;
  draft.state = event.state ?? 'pending';
  draft.updatedAt = event.at;
  if (former !== undefined) for (const field of NAMING) if (former[field] !== undefined) assign(draft, field, former[field]);
  mergeFields(draft, draft, event);
  stampTimes(draft, event);
  return Object.freeze(draft);
}

function merge(record: Operation, event: OperationEvent): Reduced<Operation> {
  let draft = mergeFields(record, undefined, event);
  if (isMoved(record, event)) {
    draft ??= { ...record };
    draft.updatedAt = event.at;
    if (event.seq !== undefined) draft.seq = event.seq;
    if (event.state !== undefined) draft.state = event.state;
  }
  draft = settle(record, draft, event);
  if (draft === undefined) return { state: record, outcome: 'duplicate' };
  draft.updatedAt = event.at;
  return { state: Object.freeze(draft), outcome: 'applied' };
}

/** True when place, time or state differ: what stands outside the merged fields. */
function isMoved(record: Operation, event: OperationEvent): boolean {
  return (
    event.at !== record.updatedAt ||
    (event.seq !== undefined && event.seq !== record.seq) ||
    (event.state !== undefined && event.state !== record.state)
  );
}

/** What a state brings along: it ends waits it is not, and stamps the times of work. */
function settle(record: Operation, draft: Draft | undefined, event: OperationEvent): Draft | undefined {
  const { state } = event;
  if (state === undefined) return draft;
  if (state !== 'blocked' && record.blockedOn !== undefined && event.blockedOn === undefined) delete (draft ??= { ...record }).blockedOn;
  if (state !== 'waiting' && record.waitingOn !== undefined && event.waitingOn === undefined) delete (draft ??= { ...record }).waitingOn;
  if (draft !== undefined) stampTimes(draft, event);
  return draft;
}

/** The first `running` is when work began, unless the event clears just that; a final state is when it ended. */
function stampTimes(draft: Draft, event: OperationEvent): void {
  const { state } = event;
  if (state === 'running' && event.startedAt === undefined) draft.startedAt ??= event.at;
  if (state !== undefined && isFinal(state)) draft.endedAt = event.endedAt ?? event.at;
}

/** After the end: usage, and a missing end time, may still be added by an event of the same state. */
function enrich(record: Operation, event: OperationEvent): Reduced<Operation> {
  const usage = event.usage ?? undefined;
  const addsUsage = usage !== undefined && !sameJson(record.usage, usage);
  const addsEnd = record.endedAt === undefined && typeof event.endedAt === 'number';
  if (!addsUsage && !addsEnd) return { state: record, outcome: saysTheSame(record, event) ? 'duplicate' : 'late' };
  const draft: Draft = { ...record, updatedAt: event.at };
  if (addsUsage) draft.usage = frozenCopy(usage);
  if (addsEnd) draft.endedAt = event.endedAt as number;
  if (event.seq !== undefined) draft.seq = event.seq;
  return { state: Object.freeze(draft), outcome: 'applied' };
}

/** True when an event of an ended operation holds nothing the record does not hold already. */
function saysTheSame(record: Operation, event: OperationEvent): boolean {
  return MERGED.every((field) => event[field] === undefined || sameJson(event[field] ?? undefined, record[field]));
}

/** Merges field by field. Makes the draft at the first difference; undefined when there was none. */
function mergeFields(record: Operation, draft: Draft | undefined, event: OperationEvent): Draft | undefined {
  for (const name in event) {
    const field = name as Merged;
    if (IS_MERGED[field] !== true) continue;
    const value = event[field];
    const held = record[field];
    if (value === held || value === undefined) continue;
    if (value === null) {
      if (held !== undefined) delete (draft ??= { ...record })[field];
    } else if (typeof value !== 'object' || !sameJson(held, value)) {
      assign((draft ??= { ...record }), field, frozenCopy(value));
    }
  }
  return draft;
}

function assign<Field extends keyof Draft>(draft: Draft, field: Field, value: unknown): void {
  draft[field] = value as Draft[Field];
}
