import type { CardEvent, Step } from '../../wire/card.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationClearEvent } from '../../wire/operation-clear.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import type { RunEvent } from '../../wire/run.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { hundredthsDone } from '../amounts-out.ts';
import type { Encoded, SessionView } from '../dialect.ts';
import { leftOpen, mergedOperation } from '../merged-operation.ts';
import { nativeId, nativeState } from '../native.ts';
import { detailText, titleText } from '../text-out.ts';
import { operationPath, PLAN, runPath } from './status-path.ts';
import { isPath, writeStatus } from './status-report.ts';
import { RUN_WORDS, STATUS_NAME, STATUS_WORDS, statusMeaning, STEP_WORDS } from './status-words.ts';

/** States the protocol has a word of its own for; the others are told apart by the message. */
const SPOKEN: readonly OperationState[] = ['running', 'blocked', 'completed', 'failed'];

/** The sequences for one event. */
export function encodeStatus(event: ProgressEvent, before?: SessionView): Encoded<string> {
  switch (event.type) {
    case 'operation':
      return encodeOperation(event, before);
    case 'operation.clear':
      return encodeClear(event, before);
    case 'run':
      return [runReport(event), ...(isFinal(event.state) ? leftOpen(event, before).flatMap((each) => encodeOperation(each, before)) : [])];
    case 'card':
      return encodeCard(event, before);
    default:
      return [];
  }
}

/** The peer's own path where it is the peer's record, the root's included, else ours. */
function pathOf(event: OperationEvent, before?: SessionView): string {
  const theirs = nativeId(event, STATUS_NAME, 'id');
  return typeof theirs === 'string' && (theirs === '' || isPath(theirs)) ? theirs : operationPath(event, before);
}

function encodeOperation(event: OperationEvent, before?: SessionView): Encoded<string> {
  const whole = mergedOperation(event, before);
  const path = pathOf(whole, before);
  const word = nativeState(whole, STATUS_NAME, statusMeaning);
  const app = nativeId(whole, STATUS_NAME, 'app');
  const isTheirs = whole.native?.protocol === STATUS_NAME;
  const { blockedOn, message, title } = whole;
  const report = writeStatus({
    state: word ?? STATUS_WORDS[whole.state],
    id: path,
    kind: blockedOn === undefined || blockedOn === null || blockedOn.kind === 'other' ? undefined : blockedOn.kind,
    progress: hundredthsDone(whole),
    app: typeof app === 'string' ? app : undefined,
    title: isTheirs ? (title ?? undefined) : titleText(whole),
    msg: word === undefined ? detailText(whole, SPOKEN) : (message ?? undefined),
  });
  const { gone, again } = moves(event, whole, path, before);
  return [...gone.map((id) => writeStatus({ state: 'clear', id })), report, ...again];
}

/** Places that are to be cleared, and what is to be reported again because it stands elsewhere or went with one of them. */
interface Moves {
  readonly gone: readonly string[];
  readonly again: Encoded<string>;
}

const NO_MOVES: Moves = { gone: [], again: [] };

/** What this event moves: itself, and what is inside it. */
function moves(event: OperationEvent, whole: OperationEvent, path: string, before?: SessionView): Moves {
  if (before === undefined) return NO_MOVES;
  const record = before.find(event.id, event.run);
  const isPlaced = record === undefined ? whole.parent !== undefined : event.parent !== undefined && event.parent !== record.parent;
  if (!isPlaced) return NO_MOVES;
  const former = record === undefined ? path : pathOf(asEvent(record, event), before);
  const gone = former === path || former === '' ? [] : [former];
  const others = [...before.operations.values()];
  if (gone.length === 0 && !others.some(({ parent, run }) => parent === event.id && run === event.run)) return NO_MOVES;
  return around(event, gone, before, viewWith(before, event, { attempt: 1, updatedAt: event.at, ...whole } as Operation));
}

/** The same for all operations but one, by how the session is seen before and after. */
function around(event: OperationEvent | OperationClearEvent, first: readonly string[], before: SessionView, after: SessionView): Moves {
  const gone = [...first];
  const own = before.find(event.id, event.run);
  const others = [...before.operations.values()]
    .filter((other) => other !== own)
    .map((other) => {
      const each = asEvent(other, event);
      const former = pathOf(each, before);
      return { each, former, isMoved: former !== pathOf(each, after) };
    });
  for (const { former, isMoved } of others) if (isMoved) gone.push(former);
  const again = others.filter(({ former, isMoved }) => isMoved || gone.some((id) => id === '' || former.startsWith(`${id}/`)));
  return {
    // What lies beneath another goes with it.
    gone: gone.filter((path) => !gone.some((id) => path.startsWith(`${id}/`))),
    again: again.flatMap(({ each }) => encodeOperation(each, after)),
  };
}

/** The session with one operation as it will be. */
function viewWith(before: SessionView, event: Pick<OperationEvent, 'id' | 'run'>, after: Operation | undefined): SessionView {
  const { operations, runs, card } = before;
  return {
    operations,
    runs,
    card,
    find: (id, run) => (id === event.id && run === event.run ? after : before.find(id, run)),
  };
}

function asEvent(record: NonNullable<ReturnType<SessionView['find']>>, { session, at }: { session: string; at: number }): OperationEvent {
  const { updatedAt: _, ...rest } = record;
  return { ...rest, type: 'operation', session, at };
}

/** A clear takes all beneath with it: what is still there is reported again, where it stands without the one that is gone. */
function encodeClear(event: OperationClearEvent, before?: SessionView): Encoded<string> {
  const record = before?.find(event.id, event.run);
  const path = record === undefined ? operationPath(event, before) : pathOf(asEvent(record, event), before);
  const { gone, again } = before === undefined ? NO_MOVES : around(event, [path], before, viewWith(before, event, undefined));
  return [...(before === undefined ? [path] : gone).map((id) => writeStatus({ state: 'clear', id })), ...again];
}

function runReport({ run, state, reason }: RunEvent): string {
  const word = RUN_WORDS[state];
  return writeStatus({ state: word, id: runPath(run), msg: word === 'idle' ? state : (reason ?? undefined) });
}

/** The steps that changed; those that are gone are cleared. */
function encodeCard({ card }: CardEvent, before?: SessionView): Encoded<string> {
  const former = before?.card.card?.plan ?? [];
  const plan = card?.plan ?? [];
  if (plan.length === 0) return former.length === 0 ? [] : [writeStatus({ state: 'clear', id: PLAN })];
  const changed = plan.flatMap((step, index) => (sameStep(step, former[index]) ? [] : [stepReport(step, index)]));
  const gone = former.slice(plan.length).map((_, index) => writeStatus({ state: 'clear', id: stepPath(plan.length + index) }));
  return [...changed, ...gone];
}

function sameStep(step: Step, former: Step | undefined): boolean {
  return step.step === former?.step && step.status === former.status;
}

function stepPath(index: number): string {
  return `${PLAN}/${index + 1}`;
}

function stepReport({ step, status }: Step, index: number): string {
  const msg = status === 'pending' || status === 'cancelled' ? status : undefined;
  return writeStatus({ state: STEP_WORDS[status], id: stepPath(index), title: step, msg });
}
