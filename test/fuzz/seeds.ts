import { readdirSync, readFileSync } from 'node:fs';
import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';

const ROOT = new URL('../../packages/schema/fixtures/', import.meta.url);

/** One dialect and frames of its peer, as its fixtures hold them. */
export interface Seeds {
  readonly dialect: Dialect<unknown>;
  readonly frames: readonly unknown[];
}

interface FixtureParts {
  readonly direction?: 'out';
  readonly input: readonly unknown[];
  readonly encoded?: readonly unknown[];
}

/** The frames of every dialect, or of those that are named. Long texts stay in their short form: the changes bring others. */
export function seeds(names: readonly string[] = Object.keys(dialects)): Seeds[] {
  return names.map((name) => {
    const dialect = (dialects as Readonly<Record<string, Dialect<unknown>>>)[name];
    if (dialect === undefined) throw new Error(`There is no dialect "${name}". There are: ${Object.keys(dialects).join(', ')}.`);
    const frames = readdirSync(new URL(`${name}/`, ROOT)).flatMap((file) => {
      const fixture = JSON.parse(readFileSync(new URL(`${name}/${file}`, ROOT), 'utf8')) as FixtureParts;
      return [...(fixture.direction === 'out' ? [] : fixture.input), ...(fixture.encoded ?? [])];
    });
    return { dialect, frames };
  });
}
