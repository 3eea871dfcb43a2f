import type { Changes, End, Heartbeat, Resync, Snapshot } from '@sitrep/schema/wire';
import type { Encoding } from '../gateway/read/paced-reader.ts';
import type { Batch } from '../gateway/read/batch.ts';
import type { LoggedEvent } from '../store/store.ts';

/** Messages that go out together, encoded once for all readers. */
export interface Messages {
  readonly list: readonly Buffer[];
  readonly bytes: number;
  /** Of a heartbeat: its time. */
  readonly at?: number;
}

/** One stored event or snapshot with its position. The same JSON text as in the stream. */
function positioned(cursor: string, json: string): Buffer {
  return Buffer.from(`{"cursor":"${cursor}","event":${json}}`);
}

/** Stream control: no position. */
function control(event: Heartbeat | Resync | End): Buffer {
  return Buffer.from(`{"event":${JSON.stringify(event)}}`);
}

function messages(list: readonly Buffer[], at?: number): Messages {
  return { list, bytes: list.reduce((sum, { length }) => sum + length, 0), ...(at !== undefined && { at }) };
}

const eventsOf = (epoch: string, events: readonly LoggedEvent[]): Buffer[] =>
  events.map(({ seq, data }) => positioned(`${epoch}:${seq}`, data));

/** The result for each key is made once, and kept for as long as anybody has the key. */
function once<K extends object>(make: (key: K) => Messages): (key: K) => Messages {
  const made = new WeakMap<K, Messages>();
  return (key) => {
    const held = made.get(key) ?? make(key);
    made.set(key, held);
    return held;
  };
}

const ofBatch = once<Batch>(({ epoch, events }) => messages(eventsOf(epoch, events)));
const ofHeartbeat = once<Heartbeat>((event) => messages([control(event)], event.at));
const ofState = once<Snapshot | Changes>((state) => messages([positioned(`${state.epoch}:${state.seq}`, JSON.stringify(state))]));

/** Events as messages of a socket, one each: `{"cursor": "epoch:seq", "event": {…}}`, control without a cursor. */
export const SOCKET_MESSAGES: Encoding<Messages> = {
  size: ({ bytes }) => bytes,
  resumed: ({ epoch, events, heartbeat }) => messages([...eventsOf(epoch, events), control(heartbeat)]),
  snapshot: ({ snapshot }) => ofState(snapshot),
  batch: (batch) => ofBatch(batch),
  changes: (changes) => ofState(changes),
  heartbeat: (event) => ofHeartbeat(event),
  resync: (event) => messages([control(event)]),
};

/** The last message of a stream that ends. */
export const endMessage = (end: End): Messages => messages([control(end)]);
