import { createHttpSink } from '@sitrep/harness';
import type { HttpSink } from '@sitrep/harness';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import type { Random } from '../../fuzz/random.ts';

/** Operations each producer has at a time. */
const OPERATIONS = 4;
/** Events after which a producer begins its operations anew, under another attempt. */
const ATTEMPT = 60;

/** A program that reports to a gateway by the sink of the harness, over a network that spoils its requests. */
export class Producer {
  readonly #name: string;
  readonly #session: string;
  readonly #random: Random;
  readonly #sink: HttpSink;
  readonly #sent = new Map<string, number>();
  readonly #acknowledged = new Set<string>();
  readonly #refused: { readonly event: OperationEvent; readonly outcome: string }[] = [];
  #written = 0;

  constructor(options: { readonly url: string; readonly session: string; readonly name: string; readonly random: Random }) {
    const { url, session, name, random } = options;
    this.#name = name;
    this.#session = session;
    this.#random = random;
    this.#sink = createHttpSink({
      url,
      session,
      batchMs: 2,
      backoffMs: 10,
      maxBackoffMs: 100,
      timeoutMs: 500,
      maxQueue: 100_000,
      random: () => random.next(),
      onOutcome: (event, outcome) => {
        // Sent twice because the answer was lost: by then a later one may have been stored, and the first time counts.
        if (outcome === 'applied' || outcome === 'duplicate' || outcome === 'stale')
          this.#acknowledged.add(nameOf(event as OperationEvent));
        else this.#refused.push({ event: event as OperationEvent, outcome });
      },
    });
  }

  /** Events that the gateway has answered for. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Events sent and not answered for. */
  get pending(): number {
    return this.#sink.stats.pending;
  }

  /** Reports one more thing. */
  write(): void {
    const n = (this.#written += 1);
    const id = `${this.#name}-${this.#random.below(OPERATIONS)}`;
    const attempt = 1 + Math.floor(n / ATTEMPT);
    const key = `${id}/${attempt}`;
    const seq = (this.#sent.get(key) ?? 0) + 1;
    this.#sent.set(key, seq);
    this.#sink.send({
      type: 'operation',
      session: this.#session,
      id,
      attempt,
      seq,
      at: 1_700_000_000_000 + n,
      state: this.#random.once(12) ? 'waiting' : 'running',
      current: n,
      message: `step ${n} ${'→é✓'.repeat(this.#random.below(20))}`,
    });
  }

  /** Waits until everything is answered for; false when that takes too long. */
  async settle(timeoutMs: number): Promise<boolean> {
    await this.#sink.flush({ timeoutMs });
    return this.pending === 0;
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  /** What does not agree with the store: acknowledged and not stored, stored twice, stored and never sent. */
  judge(events: readonly ProgressEvent[]): {
    readonly acknowledged: number;
    /** Told that they came after their producer had been taken for lost. */
    readonly late: number;
    readonly lost: number;
    readonly doubled: number;
    readonly examples: readonly string[];
  } {
    const stored = new Map<string, number>();
    // Who cannot be heard of for long is taken for lost, and told so: what it had open has ended.
    const ended = new Set(
      events.flatMap((event) => (event.type === 'operation' && event.state === 'interrupted' ? [`${event.id}/${event.attempt ?? 1}`] : [])),
    );
    const wrongly = this.#refused.filter(({ event, outcome }) => outcome !== 'late' || !ended.has(`${event.id}/${event.attempt}`));
    for (const event of events) {
      if (event.type === 'operation' && event.seq === undefined) continue;
      if (event.type !== 'operation' || !String(event.id).startsWith(`${this.#name}-`)) continue;
      stored.set(nameOf(event), (stored.get(nameOf(event)) ?? 0) + 1);
    }
    const lost = [...this.#acknowledged].filter((name) => !stored.has(name));
    const doubled = [...stored].filter(([, count]) => count > 1).map(([name]) => name);
    const { dropped } = this.#sink.stats;
    return {
      acknowledged: this.#acknowledged.size,
      late: this.#refused.length - wrongly.length,
      lost: lost.length + dropped + wrongly.length,
      doubled: doubled.length,
      examples: [
        ...lost.slice(0, 3).map((name) => `${name} was acknowledged and is not stored`),
        ...doubled.slice(0, 3).map((name) => `${name} is stored twice`),
        ...wrongly.slice(0, 3).map(({ event, outcome }) => `${nameOf(event)} was ${outcome}`),
        ...(dropped > 0 ? [`${dropped} events were given up by the sink of ${this.#name}`] : []),
      ],
    };
  }
}

function nameOf({ id, attempt, seq }: OperationEvent): string {
  return `${id}/${attempt}/${seq}`;
}
