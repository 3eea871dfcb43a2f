import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { Judge } from './judge.ts';
import type { Fault } from './judge.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';
import { seeds } from './seeds.ts';

/** What a run is to do. */
export interface FuzzOptions {
  /** Frames in all, shared out evenly among the dialects. */
  readonly runs: number;
  readonly seed: number;
  readonly dialects?: readonly string[] | undefined;
}

/** What one dialect came through. */
export interface FuzzReport {
  readonly dialect: string;
  readonly counts: Readonly<Judge['counts']>;
  /** Milliseconds of the slowest frame. */
  readonly slowest: number;
  /** Characters of the largest memory seen, as JSON. */
  readonly largestMemory: number;
  readonly faults: readonly { readonly fault: Fault; readonly frame: string }[];
}

const MAX_FAULTS = 5;
/** Prototypes that bad keys would reach for. */
const PROTOTYPES = [Object.prototype, Array.prototype, String.prototype, Number.prototype, Function.prototype];

/** Reads spoiled frames in every dialect. Faults are reported, never thrown; a prototype that was touched is a fault. */
export function* fuzz({ runs, seed, dialects: names }: FuzzOptions): Generator<FuzzReport> {
  const all = seeds(names);
  const others = all.flatMap(({ frames }) => frames);
  const writers = Object.values(dialects) as Dialect<unknown>[];
  const untouched = fingerprint();
  for (const { dialect, frames } of all) {
    const random = new Random(seed + dialect.name.length);
    const judge = new Judge(dialect, writers);
    const faults: { fault: Fault; frame: string }[] = [];
    for (let left = Math.ceil(runs / all.length); left > 0 && faults.length < MAX_FAULTS; left -= 1) {
      // One frame in four comes from another peer, as when a stream is read in the wrong dialect.
      const frame = random.once(4) || frames.length === 0 ? random.of(others) : random.of(frames);
      const mutant = random.once(10) ? { frame, isJson: true } : mutate(frame, others, random);
      const fault = judge.judge(mutant);
      if (fault !== undefined) faults.push({ fault, frame: shown(mutant.frame) });
    }
    if (fingerprint() !== untouched) faults.push({ fault: 'a prototype of the language was changed', frame: '' });
    yield { dialect: dialect.name, counts: judge.counts, slowest: judge.slowest, largestMemory: judge.largestMemory, faults };
  }
}

function fingerprint(): string {
  return PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).map(String).join()).join('\n');
}

function shown(frame: unknown): string {
  try {
    return (JSON.stringify(frame) ?? String(frame)).slice(0, 2_000);
  } catch {
    return '(not JSON)';
  }
}
