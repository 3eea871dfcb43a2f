import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { GatewayError } from './gateway-error.ts';

/** Names `?dialect=` takes. */
export type DialectName = keyof typeof dialects;

/** The dialect of this name, to be written. Throws a GatewayError that lists the names; those that are only read are none of them. */
export function dialectToWrite(name: string): Dialect<unknown> {
  const written = Object.entries(dialects as Readonly<Record<string, Dialect<unknown>>>).filter(([, { only }]) => only !== 'in');
  const found = written.find(([known]) => known === name);
  if (found) return found[1];
  throw new GatewayError('unknown_dialect', `A stream can be written in one of: ${written.map(([known]) => known).join(', ')}.`);
}

/** The dialect of this name. Throws a GatewayError that lists the names. */
export function dialectByName(name: string): Dialect<unknown> {
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName] as Dialect<unknown>;
  throw new GatewayError('unknown_dialect', `dialect must be one of: ${Object.keys(dialects).join(', ')}.`);
}
