import { cleanLine, codePointLength } from '@sitrep/schema/check';
import type { Issue } from '@sitrep/schema/check';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { tell } from '../diagnostic.ts';
import { handOver } from '../sink/hand-over.ts';
import type { ToolAnswer, ToolContext, ToolError, ToolName } from './tool.ts';

/** How many issues the text names; the structured answer has them all. */
const NAMED = 5;
/** Characters of a value that are repeated; a longer one is only measured. */
const QUOTED = 40;

/** An answer that refuses, with what the model can do about it. */
export function failure(code: ToolError['error']['code'], text: string, issues?: readonly Issue[]): ToolAnswer<never> {
  return { text, structured: { error: issues === undefined ? { code } : { code, issues } }, isError: true };
}

/** The input was refused: every message names the field, the limit and what was sent instead. */
export function refusal(name: ToolName, issues: readonly Issue[], input?: unknown): ToolAnswer<never> {
  const named = issues.slice(0, NAMED).map((issue) => withSent(issue, input));
  if (issues.length > NAMED) named.push(`And ${issues.length - NAMED} more.`);
  return failure('invalid', `${name} refused the input; nothing was changed. ${named.join(' ')}`, issues);
}

/** The sentence, with the value itself where it is short: whoever sent it is the one who reads this. */
function withSent({ path, message, code }: Issue, input: unknown): string {
  // Keys that are not known are named already, and two steps in progress by their own words.
  if (code === 'unknown_key' || code === 'in_progress') return message;
  const sent = quote(valueAt(input, path));
  return sent === undefined ? message : `${message.replace(/\.$/, '')} (sent: ${sent}).`;
}

function quote(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const text = cleanLine(value.slice(0, 4 * QUOTED));
    return text === '' ? '""' : codePointLength(text) > QUOTED ? undefined : JSON.stringify(text);
  }
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** What a pointer of an issue leads to; undefined where nothing can be read. */
function valueAt(input: unknown, path: string): unknown {
  try {
    return path
      .split('/')
      .slice(1)
      .reduce((value, key) => (value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined), input);
  } catch {
    return undefined;
  }
}

/** Hands events to the host's sink; false when there is none. A sink that throws or rejects does not reach the model. */
export function emit(events: readonly ProgressEvent[], context: ToolContext): boolean {
  const { sink, onDiagnostic } = context;
  if (sink === undefined) return false;
  const failed = (): void => tell(onDiagnostic, { code: 'sink_failed', message: 'The sink failed to take an event of a progress tool.' });
  for (const event of events) handOver(sink, event, failed);
  return true;
}

/**
 * What a handler answers, whatever the host handed it: a context that cannot be used is the host's to hear of. The model can
 * do nothing about it but go on.
 */
export async function answered<T>(name: ToolName, context: ToolContext, handle: () => Promise<ToolAnswer<T>>): Promise<ToolAnswer<T>> {
  try {
    return await handle();
  } catch {
    return unusable(name, context, 'its context failed when it was read.');
  }
}

/** The host's session, run, ids or clock will not do. */
export function unusable(name: ToolName, context: ToolContext, why: string): ToolAnswer<never> {
  try {
    tell(context.onDiagnostic, { code: 'invalid', message: `A call of ${name} could not be recorded: ${why}` });
  } catch {
    // The context cannot be read at all.
  }
  return failure('unavailable', `${name} could not be recorded in this session; nothing was changed. Go on without it.`);
}

/** The host offered the tool without saying where it writes. */
export function notConnected(name: ToolName): ToolAnswer<never> {
  return failure('not_connected', `${name} is not connected in this session; nothing was recorded. Go on without it.`);
}
