import type { Changes } from '@sitrep/schema/wire';
import type { LoggedEvent, Position } from '../../store/store.ts';
import type { Clock } from '../clock.ts';
import type { Batch } from './batch.ts';

/** Bytes of events of one session that are gathered at most. */
const MAX_BYTES = 262_144;
/** Bytes of an event's frame beside its data, about. */
const FRAME = 45;
/**
 * What nobody should wait for: the end of anything, and what waits for a person. A false alarm, from a word deep inside an event,
 * only tells it sooner.
 */
const URGENT = /"state":"(?:completed|failed|cancelled|denied|interrupted|blocked)"/;

/** Changes that say the same as the events of a batch, and their text. */
export interface MergedBatch {
  readonly changes: Changes;
  readonly data: string;
}

interface FlushQuantumParts {
  readonly clock: Clock;
  /** Milliseconds; 0 gathers nothing. */
  readonly ms: number;
  /** Resolves when memory and store agree. */
  readonly settled: () => Promise<void>;
  /** The newest of what changed in a session after a position, read synchronously. */
  readonly changes: (session: string, after: number) => Changes | undefined;
  readonly publish: (batch: Batch, merged?: MergedBatch) => void;
}

/** What of one session was not told yet. */
interface Gathered {
  batch: Batch | undefined;
  bytes: number;
}

/**
 * Gathers what is stored of a session over a while and tells its readers of it in one go: the newest of each record, where that
 * is shorter than the events. The first event after a pause is told at once and begins the while, so that who reports seldom is
 * never late.
 */
export class FlushQuantum {
  readonly #parts: FlushQuantumParts;
  readonly #gathered = new Map<string, Gathered>();
  #stop: (() => void) | undefined;

  constructor(parts: FlushQuantumParts) {
    this.#parts = parts;
  }

  /** Takes what was just stored. */
  take(batch: Batch): void {
    const { ms, publish, clock } = this.#parts;
    if (ms === 0) return publish(batch);
    const held = this.#gathered.get(batch.session);
    if (!held) {
      this.#gathered.set(batch.session, { batch: undefined, bytes: 0 });
      this.#stop ??= clock.every(ms, () => void this.#tick());
      return publish(batch);
    }
    if (held.batch && held.batch.epoch !== batch.epoch) this.flush(batch.session);
    const events: LoggedEvent[] = held.batch ? (held.batch.events as LoggedEvent[]) : [];
    let urgent = false;
    for (const event of batch.events) {
      events.push(event);
      held.bytes += event.data.length + FRAME;
      urgent ||= event.type === 'run' || URGENT.test(event.data);
    }
    held.batch = { ...batch, events };
    if (urgent || held.bytes > MAX_BYTES) this.flush(batch.session);
  }

  /** The position that what was gathered of a session leads to, where something was. */
  gathered(session: string): Position | undefined {
    return this.#gathered.get(session)?.batch?.end;
  }

  /** Tells what was gathered of a session. Call only while memory and store agree. */
  flush(session: string): void {
    const held = this.#gathered.get(session);
    const batch = held?.batch;
    if (!held || !batch) return;
    const { bytes } = held;
    held.batch = undefined;
    held.bytes = 0;
    const [first] = batch.events;
    const changes = first && batch.events.length > 1 ? this.#parts.changes(session, first.seq - 1) : undefined;
    const same = changes && changes.epoch === batch.epoch && changes.seq === batch.end.seq;
    const data = same ? JSON.stringify(changes) : '';
    this.#parts.publish(batch, same && data.length + FRAME < bytes ? { changes, data } : undefined);
  }

  /** Forgets what was gathered: whoever reads is given a new beginning. */
  drop(session: string): void {
    this.#gathered.delete(session);
  }

  /** Tells everything that was gathered, and ends. */
  flushAll(): void {
    for (const session of this.#gathered.keys()) this.flush(session);
    this.#halt();
  }

  #halt(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  async #tick(): Promise<void> {
    await this.#parts.settled();
    for (const [session, { batch }] of this.#gathered) {
      if (batch) this.flush(session);
      else this.#gathered.delete(session);
    }
    if (this.#gathered.size === 0) this.#halt();
  }
}
