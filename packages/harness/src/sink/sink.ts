import type { ProgressEvent } from '@sitrep/schema/wire';

/** Where events go. A sink is handed checked events in order and must not hold up whoever sends. */
export interface Sink {
  /** Takes one event. Returns at once; what goes wrong later is the sink's own affair and never reaches the sender. */
  send(event: ProgressEvent): void;
  /** Resolves when everything taken so far was delivered or given up. Never rejects. */
  flush(): Promise<void>;
  /** Flushes, then lets go of what the sink holds. Events sent afterwards are dropped. Never rejects. */
  close(): Promise<void>;
}
