/**
 * The vocabulary: every type, the closed word lists, the limits. What works on values has an entry of its own, named by
 * what it does (`./check`, `./reduce`, `./select`, `./translate`, `./dialect`), so that each function stands in one place
 * and nobody loads what they do not call. Nothing here loads TypeBox; the schemas themselves are in `./wire`.
 */
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
export type { Checked, Issue, IssueCode } from './check/issue.ts';
export type { Id } from './wire/scalars.ts';
export type { OperationClearEvent } from './wire/operation-clear.ts';
export type { SessionEvent } from './wire/session.ts';
export type { Snapshot } from './wire/snapshot.ts';
export type { Changes } from './wire/changes.ts';
export type { End, Heartbeat, Resync } from './wire/control.ts';
export type { ControlEvent, ProgressEvent, StreamEvent } from './wire/event.ts';
export type { CardPut, ProgressCardInput, ProgressInput, ReportProgressInput } from './wire/tool-inputs.ts';
export type { BlockedKind, EventType, FinalState, LiveState, OperationState, RunState, StepState } from './wire/states.ts';
