import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { GatewayError } from './gateway-error.ts';

/** Names `?dialect=` takes. */
export type DialectName = keyof typeof dialects;

/** The dialect of this name. Throws a GatewayError that lists the names. */
export function dialectByName(name: string): Dialect<unknown> {
  if (Object.hasOwn(dialects, name)) return dialects[name as DialectName] as Dialect<unknown>;
  throw new GatewayError('unknown_dialect', `dialect must be one of: ${Object.keys(dialects).join(', ')}.`);
}
