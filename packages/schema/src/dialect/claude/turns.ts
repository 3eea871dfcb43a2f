import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import { firstOf, runEvent, sessionEvent, shortText, sumOf, turnEnd } from '../agent-stream.ts';
import { hasEntry } from '../entries.ts';
import { present } from '../finish.ts';
import { callEnded } from './calls.ts';
import { stretchesEnd } from './memory.ts';
import type { Reading } from './memory.ts';
import { foregroundOver } from './tasks.ts';

/** Turns of a stream have no name of their own: each is named by the message that begins it. */

/** A turn begins, unless one is under way. */
export function turnBegins(reading: Reading, name: unknown): void {
  const { context, memory, events } = reading;
  if (memory.run !== undefined || !isText(name, 1, LIMITS.id) || name === memory.last) return;
  reading.memory = { ...memory, run: name };
  events.push(runEvent(context, context.run ?? name, 'running'));
}

/** `system` `init`: each turn begins with one. Another that is still open then has ended unseen. */
export function turnInit(reading: Reading, name: unknown): void {
  if (reading.memory.run === name) return;
  turnLost(reading);
  turnBegins(reading, name);
}

/** The turn under way ended, and nobody said how. */
export function turnLost(reading: Reading): void {
  const { context, memory, events } = reading;
  if (memory.run === undefined) return;
  stretchesEnd(reading, 'interrupted');
  foregroundOver(reading);
  events.push(runEvent(context, context.run ?? memory.run, 'interrupted'));
  over(reading);
}

function over(reading: Reading): void {
  const { run, last } = reading.memory;
  reading.memory = { ...reading.memory, run: undefined, last: run ?? last, requests: undefined };
}

/** `result`: how the turn ended, and what the session has used. */
export function turnResult(reading: Reading, frame: Record<string, unknown>): void {
  const { subtype, is_error: isError, terminal_reason: terminal, result, errors, permission_denials: denials } = frame;
  const { context, events } = reading;
  const { memory } = reading;
  if (Array.isArray(denials)) {
    for (const denial of firstOf(denials, 256, '/permission_denials', reading.mended)) {
      const id = isObject(denial) ? denial['tool_use_id'] : undefined;
      if (typeof id === 'string' && hasEntry(memory.calls, id)) callEnded(reading, id, { state: 'denied', text: 'denied' });
    }
  }
  const usage = usageOf(frame);
  if (usage !== undefined) events.push(sessionEvent(context, { usage }));
  stretchesEnd(reading, 'interrupted');
  foregroundOver(reading);
  // One that comes again, or of a turn nobody saw begin, ends none; where nothing is known it is all there is of its turn.
  const isAll = memory.last === undefined && (context.held?.runs.size ?? 0) === 0;
  const first = isAll && typeof frame['uuid'] === 'string' ? frame['uuid'] : undefined;
  const turn = memory.run ?? first;
  const run = turn === undefined ? undefined : (context.run ?? turn);
  if (run === undefined) return;
  const isCancelled = typeof terminal === 'string' && terminal.startsWith('aborted');
  const isFailed = isError === true || subtype !== 'success';
  const cause: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const message = shortText(cause ?? result, LIMITS.message);
  const reason = isFailed || isCancelled ? shortText(subtype === 'success' ? terminal : subtype, LIMITS.word) : undefined;
  events.push(...turnEnd(context, run, isCancelled ? 'cancelled' : isFailed ? 'failed' : 'completed', { message, code: reason, reason }));
  reading.memory = { ...reading.memory, run: turn };
  over(reading);
}

/** Tokens and cost of the whole session: the result counts them by model. */
function usageOf({ modelUsage, total_cost_usd: cost }: Record<string, unknown>) {
  const models = isObject(modelUsage) ? Object.values(modelUsage).slice(0, 100) : [];
  const counted = models.flatMap((model) =>
    isObject(model) ? [model['inputTokens'], model['outputTokens'], model['cacheReadInputTokens'], model['cacheCreationInputTokens']] : [],
  );
  const tokens = sumOf(counted);
  const paid = Number.isFinite(cost) && (cost as number) > 0 ? { amount: cost as number, currency: 'USD' } : undefined;
  if (tokens === 0 && paid === undefined) return undefined;
  return present({ tokens: tokens === 0 ? undefined : tokens, cost: paid });
}
