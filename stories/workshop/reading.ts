import { createMemorySource, createStore } from '@sitrep/client';
import type { Store } from '@sitrep/client';
import { checkEvent, checkStreamEvent } from '@sitrep/schema/check';
import { detect, dialects } from '@sitrep/schema/dialect';
import { createDecoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema';
import { moved } from './moved.ts';
import { pastedFrames } from './pasted-frames.ts';
import type { Pasted } from './pasted-frames.ts';
import type { DialectName } from './recordings.ts';

/** The name under which our own events stand among the dialects. */
export const OWN = 'sitrep';
/** In place of a dialect: whichever the frames are of. */
export const FOUND = 'found';

/** What became of a pasted text. */
export interface Reading {
  /** The dialect it was read as. */
  readonly dialect: string;
  readonly store: Store;
  readonly events: readonly ProgressEvent[];
  readonly problems: readonly string[];
}

/** How many frames are asked for their dialect before it is given up. */
const ASKED = 200;

/** The dialect of the first frame that can be told; our own where none can. */
function dialectOf(frames: readonly Pasted[]): string {
  for (const pasted of frames.slice(0, ASKED)) {
    const found = 'frame' in pasted ? detect(pasted.frame) : 'unknown';
    if (found !== 'unknown') return found;
  }
  return OWN;
}

/** Reads a pasted text as a dialect. With `dated` every time stays as it is, else the newest event happened now. */
export function read(asked: string, text: string, dated: boolean): Reading {
  const session = 'pasted';
  const source = createMemorySource();
  const problems: string[] = [];
  const events: ProgressEvent[] = [];
  const store = createStore({ source, quantum: 50, onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`) });
  const frames = text.trim() === '' ? [] : pastedFrames(text);
  const dialect = asked === FOUND ? dialectOf(frames) : asked;
  const decoder = dialect === OWN ? undefined : createDecoder(dialects[dialect as DialectName], { session });
  for (const pasted of frames) {
    const where = `Line ${pasted.line}: `;
    if ('problem' in pasted) {
      problems.push(where + pasted.problem);
      continue;
    }
    const decoded = decoder ? decoder.decode(pasted.frame, Date.now()) : own(pasted.frame);
    if (!decoded.ok) problems.push(...decoded.issues.map(({ path, message }) => `${where}${path || 'the frame'}: ${message}`));
    else if ('mended' in decoded && decoded.mended)
      problems.push(...decoded.mended.map(({ path, message }) => `${where}${path || 'the frame'} was mended: ${message}`));
    if (decoded.ok) for (const event of decoded.events) events.push(event);
  }
  let newest = -Infinity;
  for (const { at } of events) newest = Math.max(newest, at);
  const late = dated ? 0 : Date.now() - newest;
  for (const event of events) source.push(moved(event, (time) => time + late));
  return { dialect, store, events, problems };
}

/** One of our own events. What a stream takes although it is not quite as it should be is told as mended. */
function own(frame: unknown): ReturnType<ReturnType<typeof createDecoder>['decode']> {
  const checked = checkStreamEvent(frame);
  if (!checked.ok) return { ok: false, issues: checked.issues };
  const strictly = checkEvent(frame);
  const mended = strictly.ok || isControl(checked.value) ? undefined : strictly.issues;
  return { ok: true, events: [checked.value as ProgressEvent], ...(mended && { mended }) };
}

const isControl = ({ type }: { readonly type: string }): boolean => CONTROL.has(type);
const CONTROL: ReadonlySet<string> = new Set(['snapshot', 'changes', 'heartbeat', 'resync', 'end']);
