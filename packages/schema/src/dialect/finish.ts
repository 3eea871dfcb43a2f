import { checkEvent } from '../check/check-event.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue, IssueCode } from '../check/issue.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Id } from '../wire/scalars.ts';
import type { DecodeContext, Decoded } from './dialect.ts';

/** The end of every decoding: what comes out is checked as if it had come in, so that no dialect can bring in what the wire refuses. */
export function finish(event: ProgressEvent, mended: readonly Issue[]): Decoded<never> {
  const checked = checkEvent(event);
  if (!checked.ok) return checked;
  return { ok: true, events: [checked.value], ...(mended.length === 0 ? undefined : { mended }) };
}

/** The same for a frame that says several things, with the memory it leaves behind. The first event that is refused refuses the frame. */
export function finishAll<Memory>(events: readonly ProgressEvent[], mended: readonly Issue[], memory?: Memory): Decoded<Memory> {
  const values: ProgressEvent[] = [];
  for (const event of events) {
    const checked = checkEvent(event);
    if (!checked.ok) return checked;
    values.push(checked.value);
  }
  return {
    ok: true,
    events: values,
    ...(mended.length === 0 ? undefined : { mended }),
    ...(memory === undefined ? undefined : { memory }),
  };
}

/** The answer for a frame that cannot be read, for one reason. */
export function refuse(path: string, code: IssueCode, rule: string): Decoded<never> {
  const issues: Issue[] = [];
  addIssue(issues, path, code, rule);
  return { ok: false, issues };
}

/** The place of an operation event: session, run, parent and time from the context, and the id the dialect found. */
export function placed(context: DecodeContext, id: Id): Pick<OperationEvent, 'type' | 'session' | 'id' | 'run' | 'parent' | 'at'> {
  const { session, run, parent, at } = context;
  return {
    type: 'operation',
    session,
    id,
    ...(run === undefined ? undefined : { run }),
    ...(parent === undefined ? undefined : { parent }),
    at,
  };
}

/** The members that are there: a dialect writes what it knows and leaves out the rest. */
export function present<T extends object>(members: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(members)) if (value !== undefined) result[key] = value;
  return result as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
