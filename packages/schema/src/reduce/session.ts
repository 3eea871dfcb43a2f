import type { Usage } from '../wire/parts.ts';
import type { SessionEvent } from '../wire/session.ts';
import { sameJson } from './equal.ts';
import { frozenCopy } from './frozen.ts';
import type { Reduced } from './outcome.ts';

/** What is known of a session itself. */
export interface SessionRecord {
  readonly title?: string;
  readonly usage?: Usage;
}

const NOTHING: SessionRecord = Object.freeze({});

/** Merges title and usage: absent keeps, `null` clears. What changes nothing is a `duplicate`. */
export function reduceSession(record: SessionRecord | undefined, event: SessionEvent): Reduced<SessionRecord> {
  const held = record ?? NOTHING;
  const title = event.title === undefined ? held.title : (event.title ?? undefined);
  const usage = event.usage === undefined || sameJson(event.usage, held.usage) ? held.usage : (frozenCopy(event.usage) ?? undefined);
  if (title === held.title && usage === held.usage) return { state: held, outcome: 'duplicate' };
  return { state: sessionRecord(title, usage), outcome: 'applied' };
}

/** A frozen record of the parts that are there. */
export function sessionRecord(title: string | undefined, usage: Usage | undefined): SessionRecord {
  return Object.freeze({ ...(title === undefined ? undefined : { title }), ...(usage === undefined ? undefined : { usage }) });
}
