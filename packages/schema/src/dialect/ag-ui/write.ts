/** Operations and all else that is no run, as frames of AG-UI. */
import type { ProgressEvent } from '../../wire/event.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import type { SessionView } from '../dialect.ts';
import { mergedOperation } from '../merged-operation.ts';
import { recordKey } from '../record-key.ts';
import { bracketOf, closing, isHeld, nativeWord, opening, ownId, parentIn } from './brackets.ts';
import type { Bracket, Known } from './brackets.ts';
import { carried, isCarried, isSaidByRun, says, timestampOf } from './carry.ts';
import type { ReadBack } from './carry.ts';
import { shownOf } from './frames.ts';
import type { AgUiFrame } from './frames.ts';
import { isBetween, openRun } from './open-run.ts';

/** The fields that brackets follow from: most events of an operation touch none of them. */
const BRACKETED = ['state', 'title', 'activeTitle', 'tool', 'kind', 'native'] as const;

/** An operation: what it opens or closes for any client, and the whole event for those who know it. */
export function writeOperation(event: OperationEvent, before: SessionView | undefined, readBack: ReadBack): readonly AgUiFrame[] {
  const held = before?.find(event.id, event.run);
  const isContent = isCarried(held) && held.attempt === (event.attempt ?? 1);
  if (isContent && !BRACKETED.some((field) => event[field] !== undefined)) return [carried(event, held)];
  const key = recordKey(event);
  const now = mergedOperation(event, before);
  // Brackets live inside a run; the next one opens what still goes on.
  const shown = isBetween(before) ? [] : [...moved(held, now, before), ...resultOf(event)];
  if (before !== undefined && isSaidByRun(event)) return shown.map((frame) => shownOf(frame, key));
  // Read alone a frame belongs to the run that is open; but a call stays in the run that it began in.
  const isKnownCall = held !== undefined && ownId(held, 'toolCallId') !== undefined;
  if (says(shown, event, isKnownCall ? event.run : openRun(before)?.run, readBack))
    return isContent ? [...shown, shownOf(carried(now), key)] : shown;
  const frames = shown.map((frame) => shownOf(frame, key));
  if (held === undefined || isContent) return [...frames, carried(event, isContent ? held : undefined)];
  // Where the peer holds no content yet, or that of another attempt: the whole for all who draw it, and what is said for ours.
  return [...frames, shownOf(carried(now), key), carried(event, {})];
}

/** The brackets that change with an operation. `now` is undefined when it goes. */
function moved(held: Operation | undefined, now: (OperationEvent & Known) | undefined, before: SessionView | undefined): AgUiFrame[] {
  const was = held === undefined ? undefined : bracketOf(held);
  const is = now === undefined ? undefined : bracketOf(now);
  const of = now ?? held;
  if (of === undefined || isSame(was, is)) return [];
  const timestamp = timestampOf(now ?? { at: held?.updatedAt ?? 0 });
  const frames: AgUiFrame[] = [];
  const changes = (bracket: Bracket): boolean => bracket.kind !== 'step' || !isHeld(bracket, of, before);
  // What ends without its beginning having been told, as a stream picked up in the middle does, is closed only for a holder who knows no better.
  const closed = was ?? (before === undefined && now !== undefined ? endOf(now) : undefined);
  if (closed !== undefined && changes(closed)) frames.push(closing(closed, now, timestamp));
  if (is !== undefined && changes(is)) frames.push(opening(is, of, timestamp, parentIn(of, before)));
  return frames;
}

/** The bracket whose end the protocol's own word is. */
function endOf(now: OperationEvent & Known): Bracket | undefined {
  const id = ownId(now, 'subagentRunId');
  switch (nativeWord(now)) {
    case 'STEP_FINISHED': {
      const name = ownId(now, 'stepName');
      return name === undefined ? undefined : { kind: 'step', name, ...(id === undefined ? undefined : { owner: id }) };
    }
    case 'TOOL_CALL_END': {
      const call = ownId(now, 'toolCallId');
      return call === undefined ? undefined : { kind: 'call', id: call };
    }
    case 'SUBAGENT_FINISHED':
    case 'SUBAGENT_ERROR':
      return id === undefined ? undefined : { kind: 'subagent', id };
    default:
      return undefined;
  }
}

function isSame(a: Bracket | undefined, b: Bracket | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The result of one of the protocol's own calls. What it brought was not ours to keep. */
function resultOf(event: OperationEvent): AgUiFrame[] {
  const messageId = ownId(event, 'messageId');
  const toolCallId = ownId(event, 'toolCallId');
  if (nativeWord(event) !== 'TOOL_CALL_RESULT' || event.state !== 'completed' || messageId === undefined || toolCallId === undefined)
    return [];
  const owner = ownId(event, 'subagentRunId');
  return [
    {
      type: 'TOOL_CALL_RESULT',
      timestamp: timestampOf(event),
      ...(owner === undefined ? undefined : { subagentRunId: owner }),
      messageId,
      toolCallId,
      content: '',
      role: 'tool',
    },
  ];
}

/** What is no operation and no run. */
export function writeOther(
  event: Exclude<ProgressEvent, OperationEvent | RunEvent>,
  before: SessionView | undefined,
): readonly AgUiFrame[] {
  if (event.type === 'operation.clear') {
    const held = before?.find(event.id, event.run);
    const changed = isBetween(before) ? [] : moved(held, undefined, before);
    const frames = changed.map((frame) => ({ ...frame, timestamp: timestampOf(event) }));
    return [...frames.map((frame) => shownOf(frame, recordKey(event))), carried(event)];
  }
  const isHeldThere = event.type === 'session' && before !== undefined && (before.title !== undefined || before.usage !== undefined);
  return [isHeldThere ? carried(event, {}) : carried(event)];
}
