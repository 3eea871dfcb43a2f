import type { DecodeContext, Dialect } from '../dialect/dialect.ts';

/** Throws a TypeError when this is no dialect: a name is none. */
export function mustBeDialect<Context extends DecodeContext>(caller: string, dialect: Dialect<unknown, Context>): void {
  const { decode, encode } = (dialect ?? {}) as { readonly decode?: unknown; readonly encode?: unknown };
  if (typeof decode === 'function' && typeof encode === 'function') return;
  const got = typeof dialect === 'string' ? `its name "${String(dialect)}"` : kind(dialect);
  throw new TypeError(`${caller} needs a dialect, such as acp of '@sitrep/schema/dialect/acp', not ${got}.`);
}

/** The session's name, given as it is or as `session` of an object. Throws a TypeError when there is none. */
export function sessionNamed(caller: string, given: unknown, form: string): string {
  const session = typeof given === 'object' && given !== null ? (given as { readonly session?: unknown }).session : given;
  if (typeof session === 'string' && session !== '') return session;
  throw new TypeError(`${caller} needs the name of a session: ${form}, not ${session === '' ? 'an empty text' : kind(session)}.`);
}

function kind(value: unknown): string {
  return value === null ? 'null' : typeof value;
}
