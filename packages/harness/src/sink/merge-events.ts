import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';

/** Two events about the same thing as one: the later wins field by field, and when the work began is not forgotten. */
export function mergeEvents(earlier: ProgressEvent, later: ProgressEvent): ProgressEvent {
  if (earlier.type !== later.type || later.type === 'card') return later;
  const told = Object.fromEntries(Object.entries(later).filter(([, value]) => value !== undefined));
  const merged = { ...earlier, ...told } as ProgressEvent;
  if (
    (earlier.type === 'operation' || earlier.type === 'run') &&
    (merged.type === 'operation' || merged.type === 'run') &&
    merged.startedAt === undefined &&
    earlier.state === 'running'
  ) {
    merged.startedAt = earlier.at;
  }
  if (merged.type !== 'operation') return merged;
  const moved = (later as OperationEvent).state;
  if (moved !== undefined) {
    // A state the reader never sees takes its own explanation with it.
    if (moved !== 'blocked') delete merged.blockedOn;
    if (moved !== 'waiting') delete merged.waitingOn;
    const { blockedOn, waitingOn } = later as OperationEvent;
    if (blockedOn !== undefined) merged.blockedOn = blockedOn;
    if (waitingOn !== undefined) merged.waitingOn = waitingOn;
  }
  return merged;
}
