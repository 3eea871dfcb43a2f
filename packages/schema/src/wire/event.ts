import type { Changes } from './changes.ts';
import type { CardEvent } from './card.ts';
import type { End, Heartbeat, Resync } from './control.ts';
import type { OperationClearEvent } from './operation-clear.ts';
import type { OperationEvent } from './operation.ts';
import type { RunEvent } from './run.ts';
import type { SessionEvent } from './session.ts';
import type { Snapshot } from './snapshot.ts';

/** What a producer may send and a log may keep. */
export type ProgressEvent = OperationEvent | OperationClearEvent | CardEvent | RunEvent | SessionEvent;
/** What only a gateway sends, about the stream itself. */
export type ControlEvent = Heartbeat | Resync | End;
/** Everything that can arrive on a stream. */
export type StreamEvent = ProgressEvent | Snapshot | Changes | ControlEvent;
