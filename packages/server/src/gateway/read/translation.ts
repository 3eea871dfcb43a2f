import type { Dialect } from '@sitrep/schema/dialect';
import { changesEvents, createEncoder, snapshotEvents } from '@sitrep/schema/translate';
import type { Encoder } from '@sitrep/schema/translate';
import type { Changes, ProgressEvent, Snapshot } from '@sitrep/schema/wire';
import type { Batch } from './batch.ts';
import { Delivery } from './delivery.ts';
import type { Encoding } from './paced-reader.ts';

/** What the founding systems call the events that hold their frames; all other frames have no name. */
const EVENT_NAMES = new Map([['report-progress', 'progress_update']]);

const BEAT = new Delivery(() => ': heartbeat\n\n');

/** The frames that stand for a snapshot, and what writes those that follow it. */
interface Beginning {
  readonly delivery: Delivery;
  readonly epoch: string;
  seq: number;
  readonly encoder: Encoder<unknown>;
}

/**
 * A session in a foreign shape, for all its readers in that shape: each batch is written once, with what the peer was told
 * before. It begins with the session as it stands, since a peer that knows only a stream must be told what there is.
 */
export class Translation implements Encoding<Delivery> {
  readonly #dialect: Dialect<unknown>;
  readonly #operations: number;
  readonly #written = new WeakMap<Batch, Delivery>();
  readonly #merged = new WeakMap<Changes, Delivery>();
  #held: Beginning | undefined;

  constructor(dialect: Dialect<unknown>, operations: number) {
    this.#dialect = dialect;
    this.#operations = operations;
  }

  size({ chunk }: Delivery): number {
    return chunk.length;
  }

  /** Not asked for: these readers begin with the session as it stands. */
  resumed(): Delivery {
    return BEAT;
  }

  snapshot({ snapshot }: { readonly snapshot: Snapshot }): Delivery {
    const encoder = createEncoder(this.#dialect, snapshot.session, { operations: this.#operations });
    const { epoch, seq } = snapshot;
    const frames = snapshotEvents(snapshot).flatMap((event) => encoder.encode(event));
    const delivery = this.#delivery([[`${epoch}:${seq}`, frames]]);
    // Others may have been given this position before, and go on from what they were told.
    if (this.#held?.epoch !== epoch || this.#held.seq !== seq) this.#held = { delivery, epoch, seq, encoder };
    return delivery;
  }

  batch(batch: Batch): Delivery {
    const written = this.#written.get(batch) ?? this.#write(batch);
    this.#written.set(batch, written);
    return written;
  }

  /** The newest of what changed, for all readers or for one that was behind: what the peer knows of it is whole. */
  changes(changes: Changes): Delivery {
    const written = this.#merged.get(changes) ?? this.#merge(changes);
    this.#merged.set(changes, written);
    return written;
  }

  heartbeat(): Delivery {
    return BEAT;
  }

  resync(): Delivery {
    return new Delivery(() => ': resync\n\n');
  }

  #write({ epoch, events }: Batch): Delivery {
    const held = this.#held;
    const groups = events.map(({ seq, data }): readonly [string, readonly unknown[]] => {
      if (held === undefined || held.epoch !== epoch || seq !== held.seq + 1) return [`${epoch}:${seq}`, []];
      held.seq = seq;
      return [`${epoch}:${seq}`, held.encoder.encode(JSON.parse(data) as ProgressEvent)];
    });
    return this.#delivery(groups);
  }

  #merge(changes: Changes): Delivery {
    const { epoch, seq, after } = changes;
    const held = this.#held;
    const events = changesEvents(changes);
    const follows = held !== undefined && held.epoch === epoch && held.seq >= after && held.seq < seq;
    if (follows) held.seq = seq;
    const frames = events.flatMap((event) => (follows ? held.encoder.encode(event) : this.#dialect.encode(event)));
    return this.#delivery([[`${epoch}:${seq}`, frames]]);
  }

  #delivery(groups: readonly (readonly [cursor: string, frames: readonly unknown[]])[]): Delivery {
    const name = EVENT_NAMES.get(this.#dialect.name);
    const head = name === undefined ? '' : `event: ${name}\n`;
    const text = groups.flatMap(([cursor, frames]) =>
      frames.map((frame, n) => `${n === frames.length - 1 ? `id: ${cursor}\n` : ''}${head}data: ${JSON.stringify(frame)}\n\n`),
    );
    return new Delivery(() => text.join(''));
  }
}

/** Translations that are read, each for as long as somebody reads it. */
export class Translations {
  readonly #operations: number;
  readonly #read = new Map<string, { readonly translation: Translation; readers: number }>();

  constructor(operations: number) {
    this.#operations = operations;
  }

  /** The translation of a session, and what says that this reader is gone. */
  enter(session: string, dialect: Dialect<unknown>): { readonly translation: Translation; readonly leave: () => void } {
    const key = `${dialect.name} ${session}`;
    const entry = this.#read.get(key) ?? { translation: new Translation(dialect, this.#operations), readers: 0 };
    this.#read.set(key, entry);
    entry.readers += 1;
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      entry.readers -= 1;
      if (entry.readers === 0) this.#read.delete(key);
    };
    return { translation: entry.translation, leave };
  }
}
