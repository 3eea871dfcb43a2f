import { createSseSource, createStore } from '@sitrep/client';
import type { Source, Store } from '@sitrep/client';

/** A reader: the store of a front-end over a real source, and a strict look at every frame before the store sees it. */
export class Witness {
  readonly store: Store;
  readonly faults: string[] = [];
  events = 0;
  snapshots = 0;
  #epoch = '';
  #seq = -1;

  /**
   * @param session as it stands in an address
   * @param told what each position was said to be, by all readers together: it must be the same for all of them
   */
  constructor(url: string, session: string, told: Map<string, string>) {
    const source = createSseSource({
      url: `${url}/v1/sessions/${session}/stream`,
      retryDelay: 200,
      maxRetryDelay: 1_000,
      heartbeatInterval: 500,
    });
    this.store = createStore({ source: this.#watched(source, told), session: decodeURIComponent(session) });
    this.store.subscribe(() => undefined);
  }

  /** What the reader shows now, as text that can be compared. */
  get shown(): string {
    const { epoch, seq, operations, card, connection } = this.store.getSnapshot();
    if (connection.state !== 'live' && connection.state !== 'resumed') return connection.state;
    return truthOf({ epoch, seq, operations, card: card.card, revision: card.revision });
  }

  #watched(source: Source, told: Map<string, string>): Source {
    return {
      open: (sink, signal) =>
        source.open(
          {
            ...sink,
            cursor: () => sink.cursor(),
            connection: (state) => sink.connection(state),
            diagnostic: (diagnostic) => sink.diagnostic(diagnostic),
            frame: (value, cursor) => {
              this.#judge(value as Record<string, unknown>, cursor, told);
              sink.frame(value, cursor);
            },
          },
          signal,
        ),
    };
  }

  #judge(frame: Record<string, unknown>, cursor: string | undefined, told: Map<string, string>): void {
    const { type, epoch, seq } = frame as { type: string; epoch: string; seq: number };
    if (type === 'snapshot') {
      this.snapshots += 1;
      if (epoch === this.#epoch && seq < this.#seq) this.faults.push(`went back from ${this.#seq} to ${seq} in ${epoch}`);
      this.#epoch = epoch;
      this.#seq = seq;
    } else if (type === 'heartbeat') {
      if (epoch !== this.#epoch || seq !== this.#seq) this.faults.push(`heartbeat at ${epoch}:${seq}, but had ${this.#epoch}:${this.#seq}`);
    } else if (type !== 'resync' && type !== 'end') {
      this.events += 1;
      const [name = '', number] = cursor?.split(':') ?? [];
      if (name !== this.#epoch || Number(number) !== this.#seq + 1) this.faults.push(`event ${cursor} after ${this.#epoch}:${this.#seq}`);
      this.#epoch = name;
      this.#seq = Number(number);
      const text = JSON.stringify(frame);
      if ((told.get(cursor ?? '') ?? text) !== text) this.faults.push(`${cursor} is two events`);
      told.set(cursor ?? '', text);
    }
  }
}

/** What is compared of a session. */
interface Truth {
  readonly epoch: string | undefined;
  readonly seq: number;
  readonly operations: readonly unknown[];
  readonly card: unknown;
  readonly revision: number;
}

/** The part of a session that must be the same wherever it is read, as text. */
export function truthOf({ epoch, seq, operations, card, revision }: Truth): string {
  return JSON.stringify([epoch, seq, card, revision, operations]);
}
