import { StringDecoder } from 'node:string_decoder';
import { OscParser, oscProgress } from '@sitrep/schema/dialect/osc-progress';
import type { OscProgressMemory } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus } from '@sitrep/schema/dialect/osc-status';
import type { OscStatusMemory } from '@sitrep/schema/dialect/osc-status';
import { isFinal } from '@sitrep/schema';
import type { Id, OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { NO_AMOUNT } from './amounts.ts';
import type { Said } from './types.ts';

/** The operation that is the command. */
export interface Place {
  readonly session: string;
  readonly id: Id;
}

const BEGINS = Buffer.from('\u001B]');
const ESCAPE = 0x1b;
/** Operations inside the command that are remembered as open. */
const MAX_OPEN = 256;

/**
 * Reads what a program says to its terminal on purpose: the bar of OSC 9;4 and the records of OSC 7501. The record at the
 * root speaks for the command; those beneath it are operations of their own. How the command ended only its exit says.
 */
export class OscReader {
  readonly #parser = new OscParser({ codes: [9, 7501] });
  readonly #place: Place;
  readonly #emit: (event: ProgressEvent) => void;
  /** The attempt each open one is in. */
  readonly #open = new Map<Id, number>();
  #bar: OscProgressMemory | undefined;
  #records: OscStatusMemory | undefined;
  /** Keeps what is left of a character for the next chunk. */
  readonly #decoder = new StringDecoder('utf8');

  constructor(place: Place, emit: (event: ProgressEvent) => void) {
    this.#place = place;
    this.#emit = emit;
  }

  /** True while the program shows an amount by itself: its lines are not asked for another. */
  speaks = false;

  /** What this chunk says. Chunks without a sequence cost one search. */
  push(chunk: Buffer): Said | undefined {
    if (!this.#parser.isHolding && !chunk.includes(BEGINS) && chunk.at(-1) !== ESCAPE) return undefined;
    let said: Said | undefined;
    for (const { osc, text: frame } of this.#parser.push(this.#decoder.write(chunk))) {
      if (osc) said = { ...said, ...(osc.code === 9 ? this.#readBar(frame) : this.#readRecord(frame)) };
    }
    return said;
  }

  /** The command has ended: what it left open inside it has too, and nobody knows how. */
  end(): void {
    const { session } = this.#place;
    for (const [id, attempt] of this.#open) {
      const again = attempt === 1 ? undefined : { attempt };
      this.#emit({ type: 'operation', session, id, ...again, at: Date.now(), state: 'interrupted', reason: 'command_ended' });
    }
    this.#open.clear();
  }

  #readBar(frame: string): Said {
    const decoded = oscProgress.decode(frame, { ...this.#place, at: Date.now() }, this.#bar);
    if (!decoded.ok) return {};
    this.#bar = decoded.memory ?? this.#bar;
    let said: Said = {};
    for (const event of decoded.events) {
      if (event.type === 'operation') said = { ...said, ...this.#amount(event), ...words(event) };
      else if (event.type === 'operation.clear') said = { ...said, ...this.#amount({ fraction: null }) };
    }
    return said;
  }

  #readRecord(frame: string): Said {
    const decoded = oscStatus.decode(frame, { ...this.#place, at: Date.now() }, this.#records);
    if (!decoded.ok) return {};
    this.#records = decoded.memory ?? this.#records;
    let said: Said = {};
    for (const event of decoded.events) {
      const own = 'id' in event && event.id === this.#place.id;
      if (own) said = { ...said, ...(event.type === 'operation' ? this.#root(event) : this.#amount({ fraction: null })) };
      else if (event.type === 'operation' || event.type === 'operation.clear') this.#inner(event);
    }
    return said;
  }

  #root(event: OperationEvent): Said {
    const { state, message, title, blockedOn } = event;
    return {
      ...this.#amount(event),
      ...words({ message: message ?? title }),
      ...(state === 'blocked' ? { blockedOn: blockedOn ?? { kind: 'other' } } : { waiting: state === 'paused' }),
    };
  }

  #inner(event: Extract<ProgressEvent, { type: 'operation' | 'operation.clear' }>): void {
    if (event.type === 'operation' && !isFinal(event.state ?? 'running')) {
      if (this.#open.size < MAX_OPEN || this.#open.has(event.id)) this.#open.set(event.id, event.attempt ?? 1);
    } else this.#open.delete(event.id);
    this.#emit(event);
  }

  #amount({ fraction }: Pick<OperationEvent, 'fraction'>): Said {
    // A sequence that says nothing of the amount keeps it.
    if (fraction === undefined) return {};
    this.speaks = fraction !== null;
    return { ...NO_AMOUNT, fraction };
  }
}

function words({ message }: { readonly message?: string | null | undefined }): Said {
  return typeof message === 'string' ? { message } : {};
}
