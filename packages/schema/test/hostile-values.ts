import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../fixtures/hostile/', import.meta.url);

/** A value of `fixtures/hostile`: as JSON text, or in one of the short forms of what is too long to be written down. */
interface HostileFixture {
  readonly name: string;
  readonly json?: string;
  readonly repeat?: string;
  readonly times?: number;
  readonly nest?: 'list' | 'object';
  readonly depth?: number;
  readonly fill?: unknown;
  readonly length?: number;
}

/** One hostile value with its sentence. */
export interface HostileValue {
  readonly file: string;
  readonly name: string;
  /** Long in itself: it is not put into every place there is. */
  readonly isHuge: boolean;
  /** A new value each time. */
  readonly make: () => unknown;
}

export const HOSTILE: readonly HostileValue[] = readdirSync(FOLDER)
  .sort()
  .map((file) => {
    const fixture = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as HostileFixture;
    const isHuge = (fixture.times ?? 0) > 100_000 || (fixture.length ?? 0) > 1_000 || (fixture.depth ?? 0) > 1_000;
    return { file, name: fixture.name, isHuge, make: () => build(fixture) };
  });

function build({ json, repeat, times = 1, nest, depth = 1, fill, length = 1 }: HostileFixture): unknown {
  if (json !== undefined) return JSON.parse(json);
  if (repeat !== undefined) return repeat.repeat(times);
  if (nest === undefined) return Array.from({ length }, () => structuredClone(fill));
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = nest === 'list' ? [value] : { value };
  return value;
}
