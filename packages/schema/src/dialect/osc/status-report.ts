import { cleanLine } from '../../check/text/clean-line.ts';
import { truncateBytes } from '../../check/text/truncate.ts';
import { utf8Length } from '../../check/text/utf8.ts';
import { fromBase64, toBase64 } from '../base64.ts';
import { readOsc, writeOsc } from './sequence.ts';

/** Number of the Program Status Protocol. */
export const STATUS_CODE = 7501;

/** Limits of the protocol. Bytes; a report that breaks one is discarded whole by whoever reads it. */
const LIMIT = { report: 4096, key: 16, id: 128, depth: 8, app: 32, titleText: 192, title: 256, msgText: 2048, msg: 2732 } as const;
/** What stands around the body: `ESC ] 7501 ;` and the longer ending. */
const FRAME = 9;

const KEY = /^[a-z]+$/;
const VALUE = /^[A-Za-z0-9_.,+/=-]*$/;
const WORD = /^[A-Za-z0-9_.+-]{1,32}$/;
const PERCENT = /^\d{1,3}$/;
// oxlint-disable-next-line no-control-regex -- looks for control characters
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** One report: it replaces the record with its id, and what it leaves out is gone. */
export interface StatusReport {
  /** idle, working, blocked, done, error or clear; a word of a later revision is kept. */
  readonly state: string;
  /** Path of the record, one to eight segments joined by `/`; empty for the root. */
  readonly id: string;
  /** Why it is blocked: permission, question or auth. */
  readonly kind?: string | undefined;
  /** Whole percent, only while working or blocked. */
  readonly progress?: number | undefined;
  /** Stable name of the program. */
  readonly app?: string | undefined;
  readonly title?: string | undefined;
  readonly msg?: string | undefined;
}

/** What a sequence of the protocol says. */
export type ReadStatus =
  | { readonly kind: 'report'; readonly report: StatusReport }
  | { readonly kind: 'query' }
  | { readonly kind: 'broken'; readonly path: string; readonly rule: string };

/** True for one segment of a path, or the name of a program. */
export function isStatusWord(value: string): boolean {
  return WORD.test(value);
}

/**
 * Reads a sequence; undefined when it is not of the protocol at all. A pair that is none is skipped, an unknown key
 * ignored, and of a repeated key the last stands; a limit that is broken, text that is no base64 of UTF-8, and a control
 * character in it discard the whole report.
 */
export function readStatus(sequence: unknown): ReadStatus | undefined {
  const osc = readOsc(sequence);
  if (osc?.code !== STATUS_CODE) return undefined;
  const { body } = osc;
  if (utf8Length(body) + FRAME > LIMIT.report) return broken('', `must have at most ${LIMIT.report} bytes.`);
  if (body.trim() === '?') return { kind: 'query' };
  const pairs = new Map<string, string>();
  for (const pair of body.split(':')) {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(0, equals)).trim();
    const value = pair.slice(equals + 1).trim();
    if (equals < 0) continue;
    if (utf8Length(key) > LIMIT.key) return broken('', `must have keys of at most ${LIMIT.key} bytes.`);
    if (KEY.test(key) && VALUE.test(value)) pairs.set(key, value);
  }
  return reportOf(pairs);
}

function broken(path: string, rule: string): ReadStatus {
  return { kind: 'broken', path, rule };
}

function reportOf(pairs: ReadonlyMap<string, string>): ReadStatus {
  const state = pairs.get('state');
  const id = pairs.get('id') ?? '';
  const app = pairs.get('app');
  if (state === undefined || state === '') return broken('/state', 'must be idle, working, blocked, done, error or clear.');
  if (id !== '' && !isPath(id)) return broken('/id', `must be 1 to ${LIMIT.depth} segments of letters, digits and _ . + -.`);
  if (pairs.has('id') && id === '') return broken('/id', 'must not be empty.');
  if (app !== undefined && app.length > LIMIT.app) return broken('/app', `must have at most ${LIMIT.app} bytes.`);
  const title = textOf(pairs.get('title'), LIMIT.title, LIMIT.titleText);
  if (title === null) return broken('/title', `must be base64 of one line of at most ${LIMIT.titleText} bytes.`);
  const msg = textOf(pairs.get('msg'), LIMIT.msg, LIMIT.msgText);
  if (msg === null) return broken('/msg', `must be base64 of one line of at most ${LIMIT.msgText} bytes.`);
  const percent = pairs.get('progress') ?? '';
  const isLive = state === 'working' || state === 'blocked';
  return {
    kind: 'report',
    report: {
      state,
      id,
      kind: state === 'blocked' ? pairs.get('kind') : undefined,
      progress: isLive && PERCENT.test(percent) && Number(percent) <= 100 ? Number(percent) : undefined,
      app: app !== undefined && WORD.test(app) ? app : undefined,
      title,
      msg,
    },
  };
}

/** True for a path the protocol takes. */
export function isPath(id: string): boolean {
  const segments = id.split('/');
  return id.length <= LIMIT.id && segments.length <= LIMIT.depth && segments.every(isStatusWord);
}

/** A text; null when it breaks the report. */
function textOf(value: string | undefined, maxEncoded: number, maxBytes: number): string | undefined | null {
  if (value === undefined) return undefined;
  if (value.length > maxEncoded) return null;
  const text = fromBase64(value);
  return text === undefined || utf8Length(text) > maxBytes || CONTROL.test(text) ? null : text;
}

/** The sequence of a report. Texts are made one line and shortened with a mark; what the grammar does not take is left out. */
export function writeStatus({ state, id, kind, progress, app, title, msg }: StatusReport): string {
  const isLive = state === 'working' || state === 'blocked';
  const pairs = [
    `state=${state}`,
    id === '' ? undefined : `id=${id}`,
    kind === undefined || state !== 'blocked' ? undefined : `kind=${kind}`,
    progress === undefined || !isLive ? undefined : `progress=${progress}`,
    app === undefined || !isStatusWord(app) ? undefined : `app=${app}`,
    textPair('title', title, LIMIT.titleText),
    textPair('msg', msg, LIMIT.msgText),
  ];
  return writeOsc(STATUS_CODE, pairs.filter((pair) => pair !== undefined).join(':'));
}

function textPair(key: string, text: string | undefined, maxBytes: number): string | undefined {
  const line = text === undefined ? '' : truncateBytes(cleanLine(text), maxBytes);
  return line === '' ? undefined : `${key}=${toBase64(line)}`;
}
