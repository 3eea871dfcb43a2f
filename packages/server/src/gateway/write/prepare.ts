import type { Outcome } from '@sitrep/schema';
import { checkEvent, exceedsUtf8 } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import type { DecodeContext, Dialect } from '@sitrep/schema/dialect';
import type { ProgressEvent } from '@sitrep/schema/wire';
import type { PreparedEvent } from '../session/live-session.ts';

/** What became of one entry of a request. */
export interface EventResult {
  readonly outcome: Outcome;
  /** What was wrong with it; beside `applied`, what was mended in a foreign frame. */
  readonly issues?: readonly Issue[] | undefined;
  /**
   * Only for who writes under a lease, beside what was not applied: the attempt it speaks of has ended. `producer_lost` when
   * that was because its producer was not heard of: then it may go on as the next attempt.
   */
  readonly reason?: 'producer_lost' | 'ended' | undefined;
}

/** One entry of a request, ready to be applied, or what was wrong with it. */
export type Prepared =
  | {
      readonly ok: true;
      readonly events: readonly PreparedEvent[];
      /** True when the operations must have been announced before. */
      readonly knownOnly: boolean;
      /** What a dialect mended. */
      readonly mended?: readonly Issue[] | undefined;
      /** What the dialect wants to be told with the next frame; undefined for the same as before. */
      readonly memory?: unknown;
    }
  | { readonly ok: false; readonly result: EventResult; readonly memory?: unknown };

/** What a request says about all its entries. */
export interface EntryContext extends DecodeContext {
  /** The shape of the entries; without one they are our own events. */
  readonly dialect?: Dialect<unknown> | undefined;
  /** Revision of the card as it stands, for foreign card writes that carry none. */
  readonly revision?: number | undefined;
  /** What the dialect remembers of the frames before. */
  readonly memory?: unknown;
  /** Bytes of one event as JSON. */
  readonly eventLimit: number;
}

/**
 * Checks one entry. An event of ours without `session` or `at` gets the session it was sent to and the time of receipt;
 * one that names another session is refused. A foreign frame goes through its dialect first. Never throws.
 */
export function prepareEntry(value: unknown, context: EntryContext): Prepared {
  if (!context.dialect) {
    const event = prepareEvent(isRecord(value) ? withDefaults(value, context) : value, context);
    return 'issues' in event ? refused(event.issues) : { ok: true, events: [event], knownOnly: false };
  }
  const decoded = context.dialect.decode(value, context, context.memory);
  if (!decoded.ok) return refused(wantsId(value, context) ? decoded.issues.map(sayHowToAddId) : decoded.issues);
  const { memory } = decoded;
  if (decoded.events.length === 0) {
    const message = `This ${context.dialect.name} frame says nothing about progress.`;
    // What it said and could not be used is told, such as the end of a call that nobody began.
    const issues = decoded.mended ?? [{ path: '', code: 'unknown_type', message } as const];
    return { ok: false, result: { outcome: 'unknown', issues }, memory };
  }
  const events: PreparedEvent[] = [];
  for (const foreign of decoded.events) {
    const event = prepareEvent(foreign, context);
    if ('issues' in event) return refused(event.issues);
    events.push(event);
  }
  // A progress token says nothing about what it belongs to: the call must have been announced, or named by the sender.
  const knownOnly = context.dialect.name === 'mcp' && context.id === undefined;
  return { ok: true, events, knownOnly, mended: decoded.mended, memory };
}

/** The answer for a frame about an operation that was never announced. */
export const UNANNOUNCED: EventResult = {
  outcome: 'unknown',
  issues: [
    {
      path: '/params/progressToken',
      code: 'unknown_type',
      message:
        'No operation of this session has this token as its id. Announce the call first by an operation event with that id, or add ?id= to say which operation it is.',
    },
  ],
};

/** True for a frame that lacks nothing but an id. */
function wantsId(value: unknown, context: EntryContext): boolean {
  return context.id === undefined && context.dialect?.decode(value, { ...context, id: 'id' }).ok === true;
}

function sayHowToAddId(issue: Issue): Issue {
  return { ...issue, message: `${issue.message} Add it to the frame, or add ?id= to the address.` };
}

function prepareEvent(value: unknown, { session, eventLimit }: EntryContext): PreparedEvent | { readonly issues: readonly Issue[] } {
  const checked = checkEvent(value);
  if (!checked.ok) return { issues: checked.issues };
  const event: ProgressEvent = checked.value;
  if (event.session !== session) {
    return { issues: [{ path: '/session', code: 'session', message: 'session must be the one in the address, or be left out.' }] };
  }
  const data = toJson(event);
  if (data === undefined)
    return {
      issues: [{ path: '', code: 'syntax', message: 'This event cannot be written as JSON: it is nested too deeply or holds itself.' }],
    };
  if (exceedsUtf8(data, eventLimit)) {
    return { issues: [{ path: '', code: 'too_many_bytes', message: `An event may have at most ${eventLimit} bytes as JSON.` }] };
  }
  return { event, data };
}

function refused(issues: readonly Issue[]): Prepared {
  const outcome = issues.every(({ code }) => code === 'unknown_type') ? 'unknown' : 'invalid';
  return { ok: false, result: { outcome, issues } };
}

function withDefaults(value: Record<string, unknown>, { session, at }: EntryContext): unknown {
  if (value['session'] !== undefined && value['at'] !== undefined) return value;
  return { ...value, session: value['session'] ?? session, at: value['at'] ?? at };
}

function toJson(event: ProgressEvent): string | undefined {
  try {
    return JSON.stringify(event);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
