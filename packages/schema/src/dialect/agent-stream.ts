import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { cleanLine } from '../check/text/clean-line.ts';
import { truncate } from '../check/text/truncate.ts';
import type { ProgressEvent } from '../wire/event.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { RunEvent } from '../wire/run.ts';
import type { SessionEvent } from '../wire/session.ts';
import type { Id } from '../wire/scalars.ts';
import type { RunState } from '../wire/states.ts';
import type { DecodeContext } from './dialect.ts';
import { placed, present } from './finish.ts';

/** What the streams of coding agents have in common: turns, calls with long texts, output as it is written, waits without a name. */

type Members = Omit<OperationEvent, 'type' | 'session' | 'id' | 'run' | 'at'>;

/** An operation event with what is known of it; `undefined` members are left out. A parent of its own goes before the caller's. */
export function operationEvent(
  context: DecodeContext,
  run: string | undefined,
  id: Id,
  members: { readonly [Key in keyof Members]?: Members[Key] | undefined },
): OperationEvent {
  return { ...placed({ ...context, run }, id), ...present(members) };
}

/** A run event. */
export function runEvent(
  { session, at }: DecodeContext,
  run: string,
  state: RunState,
  more: { readonly [Key in 'parent' | 'startedAt' | 'endedAt' | 'reason']?: RunEvent[Key] | undefined } = {},
): RunEvent {
  return { type: 'run', session, run, state, at, ...present(more) };
}

/** The sum of counts that are some; whatever is none counts nothing, and no sum is beyond what a number can hold. */
export function sumOf(counts: readonly unknown[]): number {
  const sum = counts.reduce<number>((total, count) => total + (Number.isFinite(count) && (count as number) > 0 ? (count as number) : 0), 0);
  return Math.min(sum, Number.MAX_SAFE_INTEGER);
}

/** What the session is called, or has used. */
export function sessionEvent(
  { session, at }: DecodeContext,
  more: { readonly title?: string | undefined; readonly usage?: SessionEvent['usage'] | undefined },
): SessionEvent {
  return { type: 'session', session, at, ...present(more) };
}

/**
 * The end of a turn. A run carries no text; where the peer says why a turn failed, an operation with the name of the run
 * carries it, so that a person can read it.
 */
export function turnEnd(
  context: DecodeContext,
  run: string,
  state: RunState,
  more: {
    readonly message?: string | undefined;
    readonly code?: string | undefined;
    readonly reason?: string | null | undefined;
    readonly startedAt?: number | undefined;
    readonly endedAt?: number | undefined;
  } = {},
): ProgressEvent[] {
  const { message, code, reason, startedAt, endedAt } = more;
  const events: ProgressEvent[] = [];
  if (state === 'failed' && message !== undefined)
    events.push(operationEvent(context, run, run, { state, kind: 'turn', error: { message, ...present({ code }) }, startedAt, endedAt }));
  events.push(runEvent(context, run, state, { startedAt, endedAt, reason }));
  return events;
}

/**
 * A text that names a call, such as a command or a path: one line, shortened with a mark. Long ones are usual, so this is
 * not noted as mended. Undefined when there is nothing to read.
 */
export function shortText(value: unknown, max: number = LIMITS.title): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Longer texts are looked at only as far as could ever be shown.
  const text = truncate(cleanLine(value.length > 8 * max ? value.slice(0, 8 * max) : value).trim(), max);
  return text === '' ? undefined : text;
}

const TITLES = ['description', 'command', 'file_path', 'filePath', 'notebook_path', 'path', 'pattern', 'query', 'url', 'skill', 'prompt'];

/** What a call is about, from what it was given: its own description, else the command, file, search or address. */
export function inputTitle(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const key of TITLES) {
    const text = Object.hasOwn(input, key) ? shortText(input[key]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Code units before the cut in which a sequence that reaches over it may begin; colours are far shorter. */
const LONGEST_SEQUENCE = 64;

/** The newest line of what a tool has written so far, or undefined. Only the end of a long text is looked at. */
export function lastLine(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const lines = endOf(value).split(/\r?\n/);
  for (const line of lines.toReversed()) {
    const text = shortText(line, LIMITS.message);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The end of a long text, with the whole of an escape sequence that the cut would leave the rest of, and no half of a character. */
function endOf(text: string): string {
  const from = text.length - 4 * LIMITS.message;
  if (from <= 0) return text;
  const near = Math.max(0, from - LONGEST_SEQUENCE);
  const opened = text.slice(near, from).lastIndexOf('\u001b');
  if (opened >= 0) return text.slice(near + opened);
  return text.slice((text.charCodeAt(from) & 0xfc00) === 0xdc00 ? from + 1 : from);
}

/** The first members of a list that nobody bounded; that there were more is noted. */
export function firstOf<T>(list: readonly T[], max: number, path: string, mended: Issue[]): readonly T[] {
  if (list.length <= max) return list;
  addIssue(mended, path, 'too_many', `must have at most ${max} members; the first ${max} were read.`);
  return list.slice(0, max);
}

/** A word of the peer that is not among those it is known to use. */
export function unknownWord(mended: Issue[], path: string, known: readonly string[]): void {
  addIssue(mended, path, 'enum', `must be one of ${known.join(', ')} and was read as pending.`);
}

/** A stretch that a stream announces without an id, such as "waiting for an answer": each new one is a new attempt of one operation. */
export interface Stretch {
  readonly attempt: number;
  readonly open: boolean;
}

/** The stretch as it begins; the same one while it goes on. */
export function begun(stretch: Stretch | undefined): Stretch {
  return stretch?.open === true ? stretch : { attempt: (stretch?.attempt ?? 0) + 1, open: true };
}

/** The stretch as it is over. */
export function over(stretch: Stretch): Stretch {
  return { ...stretch, open: false };
}
