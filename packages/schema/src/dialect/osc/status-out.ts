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
  const moved = movedFrom(event, path, before);
  const inner = movedInside(event, whole, before);
  const gone = [...(moved === undefined ? [] : [moved]), ...inner.map(({ former }) => former)];
  return [
    ...gone.map((id) => writeStatus({ state: 'clear', id })),
    report,
    ...inner.flatMap(({ event: each, view }) => encodeOperation(each, view)),
  ];
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

/** What stands elsewhere from now on because this operation came after it, or has another place itself. */
function movedInside(
  event: OperationEvent,
  whole: OperationEvent,
  before?: SessionView,
): { former: string; event: OperationEvent; view: SessionView }[] {
  if (before === undefined) return [];
  const record = before.find(event.id, event.run);
  const isPlaced = record === undefined ? whole.parent !== undefined : event.parent !== undefined && event.parent !== record.parent;
  const all = [...before.operations.values()];
  if (!isPlaced || !all.some(({ parent, run }) => parent === event.id && run === event.run)) return [];
  const view = viewWith(before, event, { ...record, ...whole } as Operation);
  return all.flatMap((other) => {
    if (other === record || other.run !== event.run || other.parent === undefined) return [];
    const each = asEvent(other, event);
    const former = pathOf(each, before);
    return former === pathOf(each, view) ? [] : [{ former, event: each, view }];
  });
}

/** Where the record stood until now, if its place changed with its parent. */
function movedFrom(event: OperationEvent, path: string, before?: SessionView): string | undefined {
  const record = event.parent === undefined ? undefined : before?.find(event.id, event.run);
  if (record === undefined) return undefined;
  const former = pathOf(asEvent(record, event), before);
  return former === path || former === '' ? undefined : former;
}

function asEvent(record: NonNullable<ReturnType<SessionView['find']>>, { session, at }: { session: string; at: number }): OperationEvent {
  const { updatedAt: _, ...rest } = record;
  return { ...rest, type: 'operation', session, at };
}

/** A clear takes all beneath with it: what is still there is reported again, where it stands without the one that is gone. */
function encodeClear(event: OperationClearEvent, before?: SessionView): Encoded<string> {
  const record = before?.find(event.id, event.run);
  const path = record === undefined ? operationPath(event, before) : pathOf(asEvent(record, event), before);
  const rest: string[] = [];
  for (const other of before?.operations.values() ?? []) {
    if (other === record) continue;
    const each = asEvent(other, event);
    if (before !== undefined && (path === '' || pathOf(each, before).startsWith(`${path}/`)))
      rest.push(...encodeOperation(each, viewWith(before, event, undefined)));
  }
  return [writeStatus({ state: 'clear', id: path }), ...rest];
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
