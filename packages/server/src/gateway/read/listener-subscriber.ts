import type { StreamEvent } from '@sitrep/schema/wire';
import type { Subscriber } from './hub.ts';
import type { Log } from '../log.ts';

/** What a reader is added to. */
interface Readable {
  attach(session: string, cursor: string | undefined, subscriber: Subscriber): Promise<void>;
  detach(session: string, subscriber: Subscriber): void;
}

/** Reads a session in process, from a cursor on where one is given. Returns unsubscribe. */
export function listen(
  gateway: Readable,
  session: string,
  cursor: string | undefined,
  listener: (event: StreamEvent) => void,
  log: Log,
): () => void {
  const subscriber = listenerSubscriber(listener, log);
  let gone = false;
  gateway.attach(session, cursor, subscriber).then(
    () => gone && gateway.detach(session, subscriber),
    (error: unknown) => log(`A subscription to a session failed: ${(error as Error).message}`),
  );
  return () => {
    gone = true;
    subscriber.stop();
    gateway.detach(session, subscriber);
  };
}

/** A reader in process: each event as a value of its own. */
function listenerSubscriber(listener: (event: StreamEvent) => void, log: (line: string) => void): Subscriber & { stop(): void } {
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
