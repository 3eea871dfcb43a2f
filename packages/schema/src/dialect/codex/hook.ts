import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationState } from '../../wire/states.ts';
import { operationEvent, shortText, unknownWord } from '../agent-stream.ts';
import { timeOfMs } from '../foreign-time.ts';
import { nativeOf } from '../native.ts';
import { NAME, parentOf, runOf } from './memory.ts';
import type { Reading } from './memory.ts';
import { wordTable } from '../word-table.ts';

/** A hook that blocks has refused what it was asked about. */
const STATES = wordTable<OperationState>({
  running: 'running',
  completed: 'completed',
  failed: 'failed',
  blocked: 'denied',
  stopped: 'cancelled',
});

/** `hook/started` and `hook/completed`. */
export function hookChanged(reading: Reading, params: Record<string, unknown>): undefined {
  const hook = params['run'];
  if (!isObject(hook) || typeof hook['id'] !== 'string') return;
  const { id, status, eventName, statusMessage, startedAt, completedAt } = hook;
  const state = typeof status === 'string' ? STATES[status] : undefined;
  if (state === undefined) unknownWord(reading.mended, '/params/run/status', Object.keys(STATES));
  reading.events.push(
    operationEvent(reading.context, runOf(reading, params), id, {
      state: state ?? 'pending',
      kind: 'hook',
      title: shortText(eventName),
      message: shortText(statusMessage, LIMITS.message),
      parent: parentOf(reading, params['threadId']) ?? reading.context.parent,
      startedAt: timeOfMs(startedAt),
      endedAt: timeOfMs(completedAt),
      native: nativeOf(NAME, status, { id }),
    }),
  );
}
