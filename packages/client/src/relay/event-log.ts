import type { Position } from '../store/position.ts';

/** One event as it came: its place, its value, and its text where that was at hand. */
export interface LoggedFrame {
  readonly seq: number;
  readonly cursor: string;
  readonly value: unknown;
  readonly json: string | undefined;
}

/** The newest events of one history, without holes; bounded by number and by length of their text. */
export class EventLog {
  readonly #maxEvents: number;
  readonly #maxLength: number;
  #epoch = '';
  /** Position before the first one kept. */
  #base = 0;
  #frames: (LoggedFrame | undefined)[] = [];
  /** Places at the front of the list that were emptied: they are cut off together, now and then. */
  #gone = 0;
  #length = 0;

  /** `maxLength` in UTF-16 code units of JSON. */
  constructor(maxEvents: number, maxLength: number) {
    this.#maxEvents = maxEvents;
    this.#maxLength = maxLength;
  }

  /** Number of events kept. */
  get size(): number {
    return this.#frames.length - this.#gone;
  }

  /** Says that everything up to here is known some other way. What was kept goes, unless it leads exactly here. */
  restart({ epoch, seq }: Position): void {
    if (epoch === this.#epoch && seq === this.#base + this.size) return;
    this.#epoch = epoch;
    this.#base = seq;
    this.#frames = [];
    this.#gone = this.#length = 0;
  }

  /** Keeps one more. One that does not follow the last is a new beginning. */
  push(epoch: string, frame: LoggedFrame): void {
    this.restart({ epoch, seq: frame.seq - 1 });
    this.#frames.push(frame);
    this.#length += lengthOf(frame);
    while (this.size > this.#maxEvents || (this.#length > this.#maxLength && this.size > 0)) {
      this.#length -= lengthOf(this.#frames[this.#gone]!);
      this.#frames[this.#gone++] = undefined;
      this.#base++;
    }
    if (this.#gone > this.size) {
      this.#frames = this.#frames.slice(this.#gone);
      this.#gone = 0;
    }
  }

  /** Everything after that place, or undefined when it is not all there any more. */
  since({ epoch, seq }: Position): readonly LoggedFrame[] | undefined {
    if (epoch !== this.#epoch || seq < this.#base) return undefined;
    return this.#frames.slice(this.#gone + seq - this.#base) as LoggedFrame[];
  }
}

/** Without its text a frame is counted as an event of usual size. */
function lengthOf({ json }: LoggedFrame): number {
  return json?.length ?? 512;
}
