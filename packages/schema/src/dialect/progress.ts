/**
 * `progress`, the non-blocking twin of `question`: `{id, status: running | done | error | waiting, title?, detail?,
 * progress?}`. The same id updates in place; what a call leaves out keeps its value. `waiting` is waiting on a machine and
 * becomes our `waiting`, never `blocked`.
 *
 * In: `completed` and `failed` are read as done and error; another word is pending, with the word kept. A progress outside
 * 0 to 1 is clamped; one that is no finite number is left out.
 *
 * Lost on the way out: pending, blocked and paused (all running; the last two with the word in `detail`); cancelled, denied
 * and interrupted (error, with the word in `detail`); counts, totals and units (only the fraction is left); kinds, tools,
 * parents, times, usage, attempts, sequence and run. Cards, runs, sessions and clears have no frame, but what a run
 * leaves open when it ends is an error.
 */
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import { isFinal } from '../wire/states.ts';
import type { OperationState } from '../wire/states.ts';
import { partDone } from './amounts-out.ts';
import type { Decoded, DecodeContext, Dialect, Encoded, SessionView } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { leftOpen, mergedOperation } from './merged-operation.ts';
import { nativeOf, nativeState } from './native.ts';
import { readId, readNumber, readText } from './reading.ts';
import { detailText } from './text-out.ts';
import { guarded } from './guarded.ts';

/** The tool's input, which is also its frame. */
export interface ProgressFrame {
  readonly id: string | number;
  readonly status: string;
  readonly title?: string;
  readonly detail?: string;
  /** 0 to 1. */
  readonly progress?: number;
}

const NAME = 'progress';

const STATES: Readonly<Record<string, OperationState>> = Object.freeze({
  __proto__: null,
  running: 'running',
  waiting: 'waiting',
  done: 'completed',
  completed: 'completed',
  error: 'failed',
  failed: 'failed',
}) as never;

const WORDS_OUT: Readonly<Record<OperationState, string>> = {
  pending: 'running',
  running: 'running',
  waiting: 'waiting',
  blocked: 'running',
  paused: 'running',
  completed: 'done',
  failed: 'error',
  cancelled: 'error',
  denied: 'error',
  interrupted: 'error',
};

function meaning(word: string): OperationState {
  return STATES[word] ?? 'pending';
}

function decode(frame: unknown, context: DecodeContext): Decoded {
  if (!isObject(frame)) return refuse('', 'type', 'must be an object with id and status.');
  const id = readId(frame['id']) ?? context.id;
  if (id === undefined) return refuse('/id', 'required', `must be text of 1 to ${LIMITS.id} characters that names the work.`);
  const { status } = frame;
  if (typeof status !== 'string')
    return refuse('/status', status === undefined ? 'required' : 'type', 'must be one of running, done, error, waiting.');
  const mended: Issue[] = [];
  if (STATES[status] === undefined)
    addIssue(mended, '/status', 'enum', 'must be one of running, done, error, waiting and was read as pending.');
  return finish(
    {
      ...placed(context, id),
      state: meaning(status),
      ...present({
        title: readText(frame['title'], LIMITS.title, '/title', mended),
        message: readText(frame['detail'], LIMITS.message, '/detail', mended),
        fraction: readFraction(frame['progress'], mended),
      }),
      native: nativeOf(NAME, status, {}),
    },
    mended,
  );
}

function readFraction(value: unknown, mended: Issue[]): number | undefined {
  const part = readNumber(value, '/progress', mended);
  if (part === undefined || (part >= 0 && part <= 1)) return part;
  addIssue(mended, '/progress', 'range', 'must be 0 to 1 and was clamped.');
  return part < 0 ? 0 : 1;
}

function encodeOperation(event: OperationEvent): ProgressFrame {
  const state = event.state ?? 'pending';
  return {
    id: event.id,
    status: nativeState(event, NAME, meaning) ?? WORDS_OUT[state],
    ...present({
      title: event.title ?? event.activeTitle ?? undefined,
      detail: detailText(event, ['waiting', 'completed', 'failed']) || (event.message === undefined ? undefined : ''),
      progress: event.native?.protocol === NAME && event.current === undefined ? (event.fraction ?? undefined) : partDone(event),
    }),
  };
}

/** A frame says its status each time; all else it may leave out. What a run leaves open when it ends is an error. */
function encode(event: ProgressEvent, before?: SessionView): Encoded<ProgressFrame> {
  if (event.type === 'operation') {
    const { state } = before ? mergedOperation(event, before) : event;
    return [encodeOperation(state === undefined ? event : { ...event, state })];
  }
  return event.type === 'run' && isFinal(event.state) ? leftOpen(event, before).map((left) => encodeOperation(left)) : [];
}

/** The dialect of the `progress` tool. */
export const progress: Dialect<ProgressFrame> = guarded({
  name: NAME,
  whole: [],
  detect: (frame) =>
    isObject(frame) &&
    readId(frame['id']) !== undefined &&
    typeof frame['status'] === 'string' &&
    STATES[frame['status']] !== undefined &&
    frame['type'] === undefined,
  decode,
  encode,
});
