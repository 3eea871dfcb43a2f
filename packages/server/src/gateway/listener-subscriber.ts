import type { StreamEvent } from '@sitrep/schema/wire';
import type { Subscriber } from './hub.ts';

/** A reader in process: each event as a value of its own. */
export function listenerSubscriber(listener: (event: StreamEvent) => void, log: (line: string) => void): Subscriber & { stop(): void } {
  let stopped = false;
  const tell = (event: StreamEvent): void => {
    if (stopped) return;
    try {
      listener(event);
    } catch (error) {
      log(`A listener of a session threw: ${String(error)}`);
    }
  };
  const replay = (events: readonly { readonly data: string }[]): void =>
    events.forEach(({ data }) => tell(JSON.parse(data) as StreamEvent));
  return {
    remote: false,
    open(opening) {
      if (opening.resumed) {
        replay(opening.events);
        tell(opening.heartbeat);
      } else {
        if (opening.resync) tell(opening.resync);
        tell(opening.snapshot);
      }
    },
    batch: ({ events }) => replay(events),
    merged: (changes) => tell(changes),
    heartbeat: tell,
    close: (end) => end && tell(end),
    stop() {
      stopped = true;
    },
  };
}
