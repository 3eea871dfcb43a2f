/**
 * The progress bar of a terminal, OSC 9;4: `ESC ] 9 ; 4 ; state ; percent ST`, ended by `ESC \` or BEL. State 0 hides, 1
 * is normal, 2 an error, 3 endless, 4 a warning or held. A frame is one complete sequence as text. OSC 9 with anything
 * but `4` after it is iTerm2's notice, and none of ours.
 *
 * In: one bar for one terminal, so its operation is named by the caller or else `terminal`. 1 and 3 are running, 4 is
 * paused, 2 is failed, 0 clears what was going on; what has failed stays. A bar that comes back is the next attempt. At 2
 * and 4 the percentage may be left out, and 0 there is what a program writes that has none: then the one before stands.
 * At 3 it means nothing. Some programs write a label behind the percentage, which is the message. Nothing is ever
 * completed by it.
 *
 * Out: the bar of the whole session, and only when it changes. A percentage stands only where one operation speaks for
 * all that goes on, never for background work. Blocked and paused are 4. What ended last is 2 if it failed or was denied
 * and nothing else goes on, until something does or it is cleared.
 * Whoever drives a terminal repeats the newest bar at least every 15 s, as terminals let it go otherwise, and hides it on
 * every way out.
 *
 * Lost on the way out: nearly all: titles, messages, ids, the difference between blocked and paused, every end but
 * failure, all but the one bar. Cards and sessions have no frame.
 */
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent } from '../wire/event.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationState } from '../wire/states.ts';
import type { DecodeContext, Decoded, Dialect, Encoded, SessionView } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { nativeOf } from './native.ts';
import { barOf } from './osc/bar.ts';
import type { OscBar } from './osc/bar.ts';
import { readOsc, writeOsc } from './osc/sequence.ts';
import { readText } from './reading.ts';
import { wordTable } from './word-table.ts';

/** What is known of the bar: which attempt it is in, and whether it is over. */
export interface OscProgressMemory {
  readonly attempt: number;
  readonly stage: 'live' | 'failed' | 'hidden';
}

const NAME = 'osc-progress';
/** The id of a terminal's bar where the caller names none. */
const BAR = 'terminal';
const STATES = wordTable<OperationState>({ '1': 'running', '2': 'failed', '3': 'running', '4': 'paused' });

/** The parts as they were written, a label behind them included; undefined when it is no such sequence. A state left out is 0. */
function parts(frame: unknown): { state: string; percent: string; label: string } | undefined {
  const osc = readOsc(frame);
  if (osc?.code !== 9) return undefined;
  const [command, state, percent = '', ...label] = osc.body.split(';');
  if (command !== '4' || state === undefined || !/^\d{0,3}$/.test(state)) return undefined;
  return { state: String(Number(state)), percent, label: label.join(';') };
}

function decode(frame: unknown, context: DecodeContext, memory?: OscProgressMemory): Decoded<OscProgressMemory> {
  const read = parts(frame);
  if (read === undefined) return refuse('', 'syntax', 'must be a sequence ESC ] 9 ; 4 ; state ; percent, ended by ESC \\ or BEL.');
  const id = context.id ?? BAR;
  const { state } = read;
  if (state === '0') return hide(context, memory);
  const mended: Issue[] = [];
  const meaning = STATES[state];
  if (meaning === undefined) addIssue(mended, '', 'enum', 'must have a state of 0 to 4 and was read as pending.');
  const isNew = memory !== undefined && memory.stage !== 'live' && !(memory.stage === 'failed' && state === '2');
  const attempt = (memory?.attempt ?? 1) + (isNew ? 1 : 0);
  const fraction = fractionOf(state, read.percent, mended);
  const decoded = finish(
    {
      ...placed(context, id),
      ...(attempt === 1 ? undefined : { attempt }),
      state: meaning ?? 'pending',
      // What failed or is held keeps the amount it had; a bar that goes on without one has none.
      ...(fraction === undefined && (state === '2' || state === '4') ? undefined : { fraction: fraction ?? null }),
      ...(read.label === '' ? undefined : { message: readText(read.label, LIMITS.message, '', mended) ?? null }),
      native: nativeOf(NAME, state, {}),
    },
    mended,
  );
  return decoded.ok ? { ...decoded, memory: { attempt, stage: state === '2' ? 'failed' : 'live' } } : decoded;
}

/** A bar that is taken away while it ran says nothing of how the work went: it is let go. */
function hide(context: DecodeContext, memory?: OscProgressMemory): Decoded<OscProgressMemory> {
  if (memory !== undefined && memory.stage !== 'live') return { ok: true, events: [] };
  const { session, run, at } = context;
  const decoded = finish({ type: 'operation.clear', session, id: context.id ?? BAR, ...(present({ run }) as { run?: string }), at }, []);
  return decoded.ok ? { ...decoded, memory: { attempt: memory?.attempt ?? 1, stage: 'hidden' } } : decoded;
}

function fractionOf(state: string, written: string, mended: Issue[]): number | undefined {
  if (written === '' || state === '3') return undefined;
  const percent = /^\d{1,9}$/.test(written) ? Number(written) : undefined;
  if (percent === undefined) {
    addIssue(mended, '', 'type', 'must have a whole percentage; it was left out.');
    return undefined;
  }
  if (percent > 100) addIssue(mended, '', 'range', 'must have a percentage of at most 100, and it was clamped.');
  if (percent === 0 && state !== '1') return undefined;
  return Math.min(1, percent / 100);
}

/** The sequence that shows a bar. */
export function oscBarSequence({ state, percent }: OscBar): string {
  return writeOsc(9, `4;${state};${state === 0 || state === 3 ? 0 : (percent ?? 0)}`);
}

function encode(event: ProgressEvent, before?: SessionView): Encoded<string> {
  if (event.type === 'card' || event.type === 'session' || !mayMove(event, before)) return [];
  const after = oscBarSequence(barOf(before, event));
  return before !== undefined && after === shownBefore(before) && !takesError(event, before) ? [] : [after];
}

/** An error stands until it is let go of. */
function takesError(event: ProgressEvent, before: SessionView): boolean {
  const record = event.type === 'operation.clear' ? before.find(event.id, event.run) : undefined;
  return record?.ambient !== true && (record?.state === 'failed' || record?.state === 'denied');
}

/** False for what the bar does not depend on: most events of a live operation only say something, or repeat their state. */
function mayMove(event: ProgressEvent, before?: SessionView): boolean {
  const record = event.type === 'operation' ? before?.find(event.id, event.run) : undefined;
  if (event.type !== 'operation' || record === undefined || record.attempt !== (event.attempt ?? 1)) return true;
  if (event.state !== undefined && event.state !== record.state) return true;
  return (['current', 'total', 'fraction', 'parent', 'ambient'] as const).some((field) => event[field] !== undefined);
}

/** What the terminal shows already. An error is shown once and then left standing, so it is never what stood before. */
function shownBefore(before: SessionView): string {
  return oscBarSequence(barOf(before));
}

/** The dialect of a terminal's progress bar. */
export const oscProgress: Dialect<string, DecodeContext, OscProgressMemory> = guarded<string, DecodeContext, OscProgressMemory>({
  name: NAME,
  whole: [],
  detect: (frame) => parts(frame) !== undefined,
  decode,
  encode,
});

export { barOf } from './osc/bar.ts';
export type { OscBar } from './osc/bar.ts';
export { OscParser } from './osc/parser.ts';
export type { OscParserOptions, OscPiece } from './osc/parser.ts';
export type { OscSequence } from './osc/sequence.ts';
