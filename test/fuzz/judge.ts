import { isDeepStrictEqual } from 'node:util';
import { checkEvent } from '@sitrep/schema/check';
import type { DecodeContext, Decoded, Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { Mutant } from './mutate.ts';

/** Bounds of what one frame may lead to. */
const MAX_EVENT_CHARACTERS = 200_000;
const MAX_MEMORY_CHARACTERS = 1_000_000;
/** A frame that takes longer hangs its reader: a text of four million characters takes far less. */
const MAX_MILLISECONDS = 2_000;
/** How often the dear questions are asked: what is remembered, whether the same frame is read the same again. */
const EVERY = 64;
const FORGET_EVERY = 500;
/** The answer of a dialect that threw while it read. */
const UNREADABLE = 'the value could not be read';

/** Why a frame was not dealt with as it must be. */
export type Fault = string;

/** Reads one stream of bad frames in one dialect, writes what came out in others, and holds everything against the rules. */
export class Judge {
  readonly counts = { frames: 0, read: 0, refused: 0, events: 0, written: 0 };
  slowest = 0;
  largestMemory = 0;
  readonly #dialect: Dialect<unknown>;
  readonly #writers: readonly Dialect<unknown>[];
  readonly #index = new SessionIndex('chat-1', { operations: 50, runs: 10, tombstones: 50 });
  readonly #context: DecodeContext = { session: 'chat-1', run: 'run-1', at: 1000, id: 'call-1', held: this.#index };
  #memory: unknown;

  constructor(dialect: Dialect<unknown>, writers: readonly Dialect<unknown>[]) {
    this.#dialect = dialect;
    this.#writers = writers;
  }

  /** Judges the reading of one frame. Undefined when all was in order. */
  judge({ frame, isJson }: Mutant): Fault | undefined {
    const { counts } = this;
    counts.frames += 1;
    if (counts.frames % FORGET_EVERY === 0) this.#memory = undefined;
    const sampled = counts.frames % EVERY === 0;
    const before = sampled && isJson ? structuredClone(frame) : undefined;
    const began = performance.now();
    let decoded: Decoded;
    try {
      for (const dialect of this.#writers) if (typeof dialect.detect(frame) !== 'boolean') return 'detect answered no truth value';
      decoded = this.#dialect.decode(frame, this.#context, this.#memory);
    } catch (error) {
      return `threw ${String(error)}`;
    }
    let took = performance.now() - began;
    // A machine that is busy with other things takes its time once, a text that costs too much takes it again.
    for (let again = 0; again < 2 && took > MAX_MILLISECONDS; again++) {
      const start = performance.now();
      this.#dialect.decode(frame, this.#context, this.#memory);
      took = Math.min(took, performance.now() - start);
    }
    this.slowest = Math.max(this.slowest, took);
    if (took > MAX_MILLISECONDS) return `took ${Math.round(took)} ms`;
    if (before !== undefined) {
      if (!isDeepStrictEqual(frame, before)) return 'the frame was changed';
      const again = this.#dialect.decode(frame, this.#context, this.#memory);
      if (!isDeepStrictEqual(again, decoded)) return 'the same frame was read otherwise the second time';
    }
    return decoded.ok ? this.#judgeRead(decoded, sampled) : this.#judgeRefused(decoded.issues, isJson);
  }

  /** All of them for an event in so many; else two, in turn. */
  #writersFor(sampled: boolean): readonly Dialect<unknown>[] {
    if (sampled) return this.#writers;
    const at = this.counts.events % this.#writers.length;
    return this.#writers.slice(at, at + 2);
  }

  #judgeRefused(issues: readonly { path: string; code: string; message: string }[], isJson: boolean): Fault | undefined {
    this.counts.refused += 1;
    if (issues.length === 0) return 'refused without a reason';
    for (const { path, code, message } of issues) {
      if (typeof path !== 'string' || !/^(?:\/|$)/.test(path) || code === '' || message.length < 10)
        return `refused for "${message}" at "${path}"`;
      if (isJson && message.includes(UNREADABLE)) return 'threw while it read plain JSON';
      if (message.length > 1_000) return `a reason of ${message.length} characters`;
    }
    return undefined;
  }

  #judgeRead(decoded: Decoded & { ok: true }, sampled: boolean): Fault | undefined {
    const { counts } = this;
    counts.read += 1;
    if (decoded.memory !== undefined) this.#memory = decoded.memory;
    if (sampled && this.#memory !== undefined) {
      const size = sizeOf(this.#memory);
      if (size === undefined) return 'remembers what is no JSON';
      this.largestMemory = Math.max(this.largestMemory, size);
      if (size > MAX_MEMORY_CHARACTERS) return `remembers ${size} characters`;
    }
    for (const event of decoded.events) {
      counts.events += 1;
      const checked = checkEvent(event);
      if (!checked.ok) return `an event the wire refuses: ${checked.issues[0]?.message}`;
      if (!isDeepStrictEqual(checked.value, event)) return 'an event that checking changes';
      if (sampled && JSON.stringify(event).length > MAX_EVENT_CHARACTERS) return 'an event beyond all bounds';
      for (const writer of this.#writersFor(sampled)) {
        const frames = writer.encode(event, this.#index);
        if (!Array.isArray(frames)) return `${writer.name} wrote no list of frames`;
        counts.written += frames.length;
      }
      this.#index.apply(event);
    }
    return undefined;
  }
}

function sizeOf(value: unknown): number | undefined {
  try {
    return JSON.stringify(value)?.length;
  } catch {
    return undefined;
  }
}
