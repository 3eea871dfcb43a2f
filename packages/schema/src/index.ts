/** Types, checks, reducers and selectors. Nothing here loads TypeBox; the schemas themselves are in `./wire`. */
export { LIMITS } from './wire/limits.ts';
export {
  BLOCKED_KINDS,
  EVENT_TYPES,
  FINAL_STATES,
  isFinal,
  LIVE_STATES,
  OPERATION_STATES,
  RUN_STATES,
  STEP_STATES,
} from './wire/states.ts';
export { reduceOperation } from './reduce/operation.ts';
export { NO_CARD, reduceCard } from './reduce/card.ts';
export { reduceRun } from './reduce/run.ts';
export { reduceSession } from './reduce/session.ts';
export { operationKey } from './reduce/key.ts';
export { eventOf } from './reduce/event-of.ts';
export { SessionIndex } from './reduce/session-index.ts';
export { fraction } from './select/fraction.ts';
export { percent } from './select/percent.ts';
export { amount } from './select/amount.ts';
export { stateWord } from './select/state-word.ts';
export { displayTitle } from './select/display-title.ts';
export { summary } from './select/summary.ts';
export { activity, rollUp } from './select/activity.ts';
export { sessionActivity } from './select/session-activity.ts';
export { currentStep, currentStepIndex, planCounts } from './select/plan.ts';
export { stepDisplay } from './select/step-display.ts';
export { cardLiveness, liveness } from './select/liveness.ts';
export { elapsed } from './select/elapsed.ts';
export { cardText } from './select/card-text.ts';
export type { Outcome, Reduced } from './reduce/outcome.ts';
export type { Applied } from './reduce/applied.ts';
export type { IndexLimits } from './reduce/session-index.ts';
export type { Activity } from './select/activity.ts';
export type { Liveness } from './select/liveness.ts';
export type { PlanCounts } from './select/plan.ts';
export type { StepDisplay } from './select/step-display.ts';
export type { Connection, ConnectionState, View } from './select/view.ts';
export type { Operation, OperationEvent } from './wire/operation.ts';
export type { Card, CardEvent, CardRecord, Step } from './wire/card.ts';
export type { Run, RunEvent } from './wire/run.ts';
export type { BlockedOn, Ext, Failure, Native, Tool, Usage, WaitingOn } from './wire/parts.ts';
export { checkEvent } from './check/check-event.ts';
export { checkStreamEvent } from './check/check-stream-event.ts';
export { checkSnapshot } from './check/check-snapshot.ts';
export { checkProgressInput, checkReportProgressInput } from './check/check-tool-input.ts';
export { checkCardPut, checkProgressCardInput } from './check/check-card-input.ts';
export { cleanLine } from './check/text/clean-line.ts';
export { cleanNote } from './check/text/clean-note.ts';
export { cleanOpenClaw } from './check/text/clean-openclaw.ts';
export { truncate, truncateBytes } from './check/text/truncate.ts';
export { codePointLength } from './check/text/code-points.ts';
export { exceedsUtf8, utf8Length } from './check/text/utf8.ts';
export type { Checked, Issue, IssueCode } from './check/issue.ts';
export type { Id } from './wire/scalars.ts';
export type { OperationClearEvent } from './wire/operation-clear.ts';
export type { SessionEvent } from './wire/session.ts';
export type { Snapshot } from './wire/snapshot.ts';
export type { End, Heartbeat, Resync } from './wire/control.ts';
export type { ControlEvent, ProgressEvent, StreamEvent } from './wire/event.ts';
export type { CardPut, ProgressCardInput, ProgressInput, ReportProgressInput } from './wire/tool-inputs.ts';
export type { BlockedKind, EventType, FinalState, LiveState, OperationState, RunState, StepState } from './wire/states.ts';
