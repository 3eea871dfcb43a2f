/**
 * `report_progress` and the `progress_update` frame it leads to: `{callId, title, current, total, status, message}`, inside
 * a subagent with `parentCallId`, on a resumed stream with `liveSeq`. Both the tool's arguments (with the id of the call in
 * the context) and the frame are read; the frame is written.
 *
 * In: a frame is whole, so an empty message clears the last one. A missing total is 100, as that dispatcher assumes; zero,
 * null or a negative one is unknown. A status it does not know is running. Amounts stay as they are.
 *
 * Lost on the way out: every state but running, completed and failed (what else is live is running; what else has ended is
 * failed, with the word in the message); a count without total and everything indeterminate (0 of 100); units, kinds,
 * tools, times, usage, attempts, runs; amounts with fractions, which become whole percents because that peer rounds. Cards,
 * runs, sessions and clears have no frame, but what a run leaves open when it ends has failed.
 */
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import { isFinal } from '../wire/states.ts';
import type { OperationState } from '../wire/states.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import { hundredthsDone } from './amounts-out.ts';
import type { Decoded, DecodeContext, Dialect, Encoded, SessionView } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { leftOpen, mergedOperation } from './merged-operation.ts';
import { nativeId, nativeOf, nativeState } from './native.ts';
import { readId, readNumber, readText, readTotal } from './reading.ts';
import { detailText, titleText } from './text-out.ts';
import { guarded } from './guarded.ts';

/** The frame as that peer sends it. */
export interface ReportProgressFrame {
  /** Id of the tool call, null for a report outside of one. */
  readonly callId: string | number | null;
  readonly title: string;
  readonly current: number;
  readonly total: number;
  readonly status: string;
  readonly message: string;
  readonly parentCallId?: string | number;
  readonly liveSeq?: number;
  readonly kind?: string;
}

const NAME = 'report-progress';
/** What the dispatcher of that peer takes a missing total to be. */
const ASSUMED_TOTAL = 100;

function meaning(word: string): OperationState {
  return word === 'completed' || word === 'failed' ? word : 'running';
}

function decode(frame: unknown, context: DecodeContext): Decoded {
  if (!isObject(frame)) return refuse('', 'type', 'must be an object with title, current and total.');
  const mended: Issue[] = [];
  const title = readText(frame['title'], LIMITS.title, '/title', mended)?.trim();
  if (title === undefined || title === '')
    return refuse('/title', title === '' ? 'empty' : 'required', 'must be text that says what is being done.');
  const id = readId(frame['callId']) ?? context.id;
  if (id === undefined) return refuse('/callId', 'required', 'must be the id of the call, or the caller must give one.');
  const parent = readId(frame['parentCallId']);
  const seq = readId(frame['liveSeq']);
  return finish(
    {
      ...placed(context, id),
      ...present({
        seq: typeof seq === 'number' && seq >= 0 ? seq : undefined,
        parent,
        current: readNumber(frame['current'], '/current', mended),
        kind: readText(frame['kind'], LIMITS.word, '/kind', mended),
      }),
      state: readStatus(frame['status'], mended),
      title,
      message: readText(frame['message'], LIMITS.message, '/message', mended)?.trim() || null,
      total: readWholeTotal(frame, mended),
      native: nativeOf(NAME, frame['status'], { callId: 'callId' in frame ? frame['callId'] : id, parentCallId: parent, liveSeq: seq }),
    },
    mended,
  );
}

function readStatus(status: unknown, mended: Issue[]): OperationState {
  if (status === undefined || status === null) return 'running';
  if (status !== 'running' && status !== 'completed' && status !== 'failed') {
    addIssue(mended, '/status', 'enum', 'must be one of running, completed, failed and was read as running.');
  }
  return typeof status === 'string' ? meaning(status) : 'running';
}

function readWholeTotal(frame: Record<string, unknown>, mended: Issue[]): number | null {
  if (frame['total'] !== undefined) return readTotal(frame['total'], '/total', mended);
  addIssue(mended, '/total', 'required', `is missing and was read as ${ASSUMED_TOTAL}.`);
  return ASSUMED_TOTAL;
}

function encodeOperation(event: OperationEvent): ReportProgressFrame {
  const state = event.state ?? 'pending';
  const own = event.native?.protocol === NAME;
  const callId = nativeId(event, NAME, 'callId') ?? (own ? null : event.id);
  const liveSeq = nativeId(event, NAME, 'liveSeq');
  return {
    callId,
    title: titleText(event),
    ...wholeAmounts(event, state),
    status: nativeState(event, NAME, meaning) ?? (state === 'completed' || !isFinal(state) ? meaning(state) : 'failed'),
    message: detailText(event, ['completed', 'failed']),
    ...present({
      parentCallId: event.parent ?? undefined,
      liveSeq: typeof liveSeq === 'number' ? liveSeq : undefined,
      kind: own ? (event.kind ?? undefined) : undefined,
    }),
  };
}

/** A frame is whole: what an event leaves out stood there before. What a run leaves open when it ends has failed. */
function encode(event: ProgressEvent, before?: SessionView): Encoded<ReportProgressFrame> {
  if (event.type === 'operation') return [encodeOperation(before ? mergedOperation(event, before) : event)];
  if (event.type !== 'run' || !isFinal(event.state)) return [];
  return leftOpen(event, before).map((left) => encodeOperation(mergedOperation(left, before)));
}

/** Whole numbers pass as they are; anything finer would be rounded to nothing at the peer and goes as whole percents. */
function wholeAmounts(event: OperationEvent, state: OperationState): { current: number; total: number } {
  const { current, total } = event;
  if (Number.isInteger(current) && Number.isInteger(total) && (total as number) > 0)
    return { current: current as number, total: total as number };
  return { current: hundredthsDone(event) ?? (state === 'completed' ? ASSUMED_TOTAL : 0), total: ASSUMED_TOTAL };
}

/** The dialect of `report_progress`. */
export const reportProgress: Dialect<ReportProgressFrame> = guarded({
  name: NAME,
  whole: [],
  detect: (frame) =>
    isObject(frame) &&
    (frame['callId'] === null || readId(frame['callId']) !== undefined) &&
    typeof frame['title'] === 'string' &&
    typeof frame['current'] === 'number' &&
    typeof frame['total'] === 'number',
  decode,
  encode,
});
