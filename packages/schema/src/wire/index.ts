/** The wire as TypeBox schemas, for authors of schemas and servers. Nothing an element loads imports this entry. */
export { LIMITS } from './limits.ts';
export { BLOCKED_KINDS, EVENT_TYPES, FINAL_STATES, isFinal, LIVE_STATES, OPERATION_STATES, RUN_STATES, STEP_STATES } from './states.ts';
export { Id } from './scalars.ts';
export { BlockedOn, Ext, Failure, Native, Tool, Usage, WaitingOn } from './parts.ts';
export { Operation, OperationEvent } from './operation.ts';
export { OperationClearEvent } from './operation-clear.ts';
export { Card, CardEvent, CardRecord, Step } from './card.ts';
export { Run, RunEvent } from './run.ts';
export { SessionEvent } from './session.ts';
export { Snapshot } from './snapshot.ts';
export { Changes } from './changes.ts';
export { End, Heartbeat, Resync } from './control.ts';
export { CardPut, ProgressCardInput, ProgressInput, ReportProgressInput } from './tool-inputs.ts';
export type { BlockedKind, EventType, FinalState, LiveState, OperationState, RunState, StepState } from './states.ts';
export type { ControlEvent, ProgressEvent, StreamEvent } from './event.ts';
