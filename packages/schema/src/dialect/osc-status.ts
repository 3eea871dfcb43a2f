/**
 * The Program Status Protocol of terminals, OSC 7501 (drafts 0.2 to 0.4): `ESC ] 7501 ; state=working:id=a/b:progress=40 ST`
 * with the keys state, id, kind, progress, app, title and msg, the last two in base64. A frame is one complete sequence as
 * text.
 *
 * In: a record is an operation named by its path; the root by the caller, or else `/`. working is running, done
 * completed, error failed, blocked is blocked on its kind, idle is paused: at rest, and not over. A report replaces its
 * record, so what it leaves out is cleared; without an app it has that of the nearest record above. What is over and works
 * again is the next attempt. A clear lets go of the record and all beneath it. A word of a later revision is pending and
 * kept, where a terminal would ignore the report. The query `?` is no event.
 *
 * Out: runs, operations and the steps of the plan are records, one below the other: `run.<run>/<operation>`,
 * `plan/<number>`. What the peer itself reported goes back under its own path. Whole records are written from the session
 * before.
 *
 * Lost on the way out: pending and waiting are working; paused, cancelled, denied and interrupted are idle (msg says
 * which), a pending or cancelled step too; counts and units (a whole percentage); what is deeper than eight levels moves
 * up; notes, usage, times, tools. Sessions have no record.
 */
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { isText } from '../check/guards.ts';
import type { OperationClearEvent } from '../wire/operation-clear.ts';
import { LIMITS } from '../wire/limits.ts';
import type { BlockedKind } from '../wire/states.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { nativeOf } from './native.ts';
import { STATUS_NAME, statusMeaning } from './osc/status-words.ts';
import { encodeStatus } from './osc/status-out.ts';
import { appAbove, nextRecord, recordAt, subtree, withRecords } from './osc/status-records.ts';
import type { OscStatusMemory, StatusRecord } from './osc/status-records.ts';
import { readStatus, STATUS_CODE } from './osc/status-report.ts';
import type { StatusReport } from './osc/status-report.ts';
import { writeOsc } from './osc/sequence.ts';
import { readText } from './reading.ts';

/** What a program asks to learn whether its terminal reads these reports; one that does answers with the same. */
export const OSC_STATUS_QUERY = writeOsc(STATUS_CODE, '?');

const KINDS: readonly unknown[] = ['permission', 'question', 'auth'];
/** Id of the root record where the caller names none: no path can be it. */
const ROOT = '/';

function idOf(context: DecodeContext, path: string): string | number | undefined {
  if (path === '') return context.id ?? ROOT;
  const id = context.id === undefined ? path : `${context.id}/${path}`;
  return isText(id, 1, LIMITS.id) ? id : undefined;
}

function parentOf(context: DecodeContext, path: string, memory?: OscStatusMemory): string | number | undefined {
  const above = path.lastIndexOf('/');
  if (above >= 0) return idOf(context, path.slice(0, above));
  if (path !== '' && (context.id !== undefined || recordAt(memory, '') !== undefined)) return idOf(context, '');
  return context.parent;
}

function decode(frame: unknown, context: DecodeContext, memory?: OscStatusMemory): Decoded<OscStatusMemory> {
  const read = readStatus(frame);
  if (read === undefined) return refuse('', 'syntax', 'must be a sequence ESC ] 7501 ; key=value : … ended by ESC \\ or BEL.');
  if (read.kind === 'query') return { ok: true, events: [] };
  if (read.kind === 'broken') return refuse(read.path, read.path === '/state' ? 'required' : 'syntax', read.rule);
  const { report } = read;
  const id = idOf(context, report.id);
  if (id === undefined) return refuse('/id', 'too_long', 'is too long below the id of its terminal.');
  return report.state === 'clear' ? clear(report.id, context, memory) : replace(report, id, context, memory);
}

function replace(report: StatusReport, id: string | number, context: DecodeContext, memory?: OscStatusMemory): Decoded<OscStatusMemory> {
  const { state: word, kind, progress, app } = report;
  const program = app ?? appAbove(memory, report.id);
  const mended: Issue[] = [];
  const meaning = statusMeaning(word);
  if (meaning === 'pending')
    addIssue(mended, '/state', 'enum', 'must be idle, working, blocked, done, error or clear and was read as pending.');
  const stage = word === 'done' || word === 'error' ? word : 'live';
  const record = nextRecord(memory, report.id, stage);
  const message = readText(report.msg, LIMITS.message, '/msg', mended);
  const parent = parentOf(context, report.id, memory);
  const decoded = finish(
    {
      ...placed({ ...context, parent }, id),
      ...(record.attempt === 1 ? undefined : { attempt: record.attempt }),
      state: meaning,
      title: readText(report.title, LIMITS.title, '/title', mended) ?? null,
      message: message ?? null,
      // What has ended keeps the amount it had.
      ...(stage === 'live' ? { fraction: progress === undefined ? null : progress / 100 } : undefined),
      ...(word === 'blocked' ? { blockedOn: { kind: kindOf(kind), ...present({ prompt: message }) } } : undefined),
      tool: program === undefined ? null : { name: program, origin: 'program' },
      native: nativeOf(STATUS_NAME, word, { id: report.id, app }),
    },
    mended,
  );
  return decoded.ok ? { ...decoded, memory: withRecords(memory, [{ ...record, ...present({ app }) }]) } : decoded;
}

function kindOf(kind: string | undefined): BlockedKind {
  return KINDS.includes(kind) ? (kind as BlockedKind) : 'other';
}

function clear(path: string, context: DecodeContext, memory?: OscStatusMemory): Decoded<OscStatusMemory> {
  const known = subtree(memory, path);
  const { session, run, at } = context;
  const gone: readonly StatusRecord[] = known.length > 0 || memory !== undefined ? known : [{ path, attempt: 1, stage: 'live' }];
  const events: OperationClearEvent[] = [];
  for (const record of gone) {
    const id = idOf(context, record.path);
    if (id !== undefined) events.push({ type: 'operation.clear', session, id, ...(run === undefined ? undefined : { run }), at });
  }
  return {
    ok: true,
    events,
    memory: withRecords(
      memory,
      gone.map((record) => ({ ...record, stage: 'cleared' as const })),
    ),
  };
}

/** The dialect of program status in terminals. */
export const oscStatus: Dialect<string, DecodeContext, OscStatusMemory> = guarded<string, DecodeContext, OscStatusMemory>({
  name: STATUS_NAME,
  whole: [],
  detect: (frame) => {
    const read = readStatus(frame);
    return read !== undefined && read.kind !== 'broken';
  },
  decode,
  encode: encodeStatus,
});

export { isStatusWord, readStatus, writeStatus } from './osc/status-report.ts';
export type { ReadStatus, StatusReport } from './osc/status-report.ts';
export type { OscStatusMemory, StatusRecord } from './osc/status-records.ts';
export { OscParser } from './osc/parser.ts';
export type { OscParserOptions, OscPiece } from './osc/parser.ts';
