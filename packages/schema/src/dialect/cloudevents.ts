/**
 * CloudEvents 1.0 in the structured JSON format: `{specversion, id, source, type, time, subject?, datacontenttype,
 * sequence, data}`, alone or as a batch, which is a list. Our whole event is the `data`; the type names it and its
 * version, `dev.sitrep.operation.v1`. Relays that take it for bytes make `data_base64` of it, which is read too.
 *
 * In: only our own types are read, and the event in `data` must be what the type says. As its writer may be newer, a
 * state that is not known is pending, with its word kept. Session, run and id are the receiver's, where it names them. Of
 * a batch each is read by itself; what cannot be read is noted by its place and left out.
 *
 * Out: the source is the session, `/sitrep/sessions/<session>`, the subject the operation or run. The id is made of time
 * and content, so that the same event has the same id and is a duplicate, said twice in one millisecond or sent twice. The extension `sequence` is compared as text
 * within a source: it holds the time, then attempt and sequence or revision, each padded with zeros. The binary mode of
 * HTTP, where the attributes are headers, is left to whoever sends.
 *
 * Lost on the way out: nothing. Not kept on the way in: the envelope's own id, source, time and other attributes.
 */
import { checkEvent } from '../check/check-event.ts';
import { checkStreamEvent } from '../check/check-stream-event.ts';
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import type { ProgressEvent, StreamEvent } from '../wire/event.ts';
import type { DecodeContext, Decoded, Dialect } from './dialect.ts';
import { fromBase64 } from './base64.ts';
import { finish, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { shortHash } from './short-hash.ts';
import { rebound } from './whole-event.ts';
import { wordTable } from './word-table.ts';

/** One event in its envelope. */
export interface CloudEventFrame {
  readonly specversion: '1.0';
  readonly id: string;
  /** URI reference of the session. */
  readonly source: string;
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  /** The operation or run. */
  readonly subject?: string;
  readonly datacontenttype: 'application/json';
  /** Rises as text within one source. */
  readonly sequence: string;
  readonly data: ProgressEvent;
}

const NAME = 'cloudevents';
const VERSION = '1.0';
const TYPE = /^dev\.sitrep\.([a-z-]+)\.v1$/;
const TYPES = wordTable<ProgressEvent['type']>({
  operation: 'operation',
  'operation-clear': 'operation.clear',
  card: 'card',
  run: 'run',
  session: 'session',
});
/** Every type whose subtype is `json` or ends in `+json`, by the JSON format. */
const JSON_TYPE = /^[^\s;/]+\/(?:[^\s;/]+\+)?json\s*(?:;|$)/i;
/** Events of one batch that are read. */
const MAX_BATCH = 1000;
/** Letters of data in base64 that are read: more than any event of ours needs. */
const MAX_ENCODED = 1_000_000;
const DIGITS = 16;

function typeOf(value: unknown): ProgressEvent['type'] | undefined {
  const match = typeof value === 'string' ? TYPE.exec(value) : null;
  return match === null ? undefined : TYPES[match[1] ?? ''];
}

function decode(frame: unknown, context: DecodeContext): Decoded {
  return Array.isArray(frame) ? decodeBatch(frame, context) : decodeOne(frame, context);
}

function decodeBatch(batch: readonly unknown[], context: DecodeContext): Decoded {
  const events: ProgressEvent[] = [];
  const mended: Issue[] = [];
  if (batch.length > MAX_BATCH)
    addIssue(mended, '', 'too_many', `must have at most ${MAX_BATCH} events; the first ${MAX_BATCH} were read.`);
  for (const [index, each] of batch.slice(0, MAX_BATCH).entries()) {
    const decoded = decodeOne(each, context);
    if (decoded.ok) events.push(...decoded.events);
    else
      for (const { path, code } of decoded.issues) addIssue(mended, `/${index}${path}`, code, 'could not be read; its event was left out.');
  }
  return { ok: true, events, ...(mended.length === 0 ? undefined : { mended }) };
}

function decodeOne(frame: unknown, context: DecodeContext): Decoded {
  if (!isObject(frame)) return refuse('', 'type', 'must be an event in its envelope, or a list of them.');
  if (frame['specversion'] !== VERSION) return refuse('/specversion', 'enum', `must be ${VERSION}.`);
  for (const attribute of ['id', 'source', 'type'])
    if (typeof frame[attribute] !== 'string' || frame[attribute] === '') return refuse(`/${attribute}`, 'required', 'must be text.');
  const type = typeOf(frame['type']);
  if (type === undefined)
    return refuse('/type', 'unknown_type', 'must be one of dev.sitrep.operation.v1 and its likes: others are not ours to read.');
  const contentType = frame['datacontenttype'];
  if (contentType !== undefined && contentType !== null && !(typeof contentType === 'string' && JSON_TYPE.test(contentType)))
    return refuse('/datacontenttype', 'enum', 'must be a type of JSON.');
  const isEncoded = frame['data'] === undefined && frame['data_base64'] !== undefined;
  const data = isEncoded ? fromBytes(frame['data_base64']) : frame['data'];
  if (isEncoded && data === undefined) return refuse('/data_base64', 'syntax', 'must be base64 of JSON in UTF-8.');
  const checked = checkStreamEvent(data);
  if (!checked.ok) return { ok: false, issues: checked.issues.map((issue) => ({ ...issue, path: `/data${issue.path}` })) };
  const { value } = checked;
  if (!isOfType(value, type)) return refuse('/data/type', 'conflict', 'must be what the type of the envelope says.');
  const mended: Issue[] = [];
  if (!checkEvent(data).ok)
    addIssue(mended, '/data', 'enum', 'holds a word of a later version, which was read as nothing more than it is sure to be.');
  return finish(rebound(value, context), mended);
}

/** Data that was taken for bytes on its way. */
function fromBytes(encoded: unknown): unknown {
  const text = typeof encoded === 'string' && encoded.length <= MAX_ENCODED ? fromBase64(encoded) : undefined;
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isOfType(event: StreamEvent, type: ProgressEvent['type']): event is ProgressEvent {
  return event.type === type;
}

function encodeOne(event: ProgressEvent): CloudEventFrame {
  const subject = event.type === 'run' ? event.run : 'id' in event ? String(event.id) : undefined;
  return {
    specversion: VERSION,
    id: `${event.at}-${shortHash(JSON.stringify(event))}`,
    source: `/sitrep/sessions/${encodeURIComponent(event.session.replace(/[\ud800-\udfff]/gu, '\ufffd'))}`,
    type: `dev.sitrep.${event.type.replace('.', '-')}.v1`,
    time: new Date(event.at).toISOString(),
    ...(subject === undefined || subject === '' ? undefined : { subject }),
    datacontenttype: 'application/json',
    sequence: sequenceOf(event),
    data: event,
  };
}

function sequenceOf(event: ProgressEvent): string {
  const parts = [Math.floor(event.at)];
  if (event.type === 'operation') parts.push(event.attempt ?? 1, event.seq ?? 0);
  if (event.type === 'card') parts.push(event.revision);
  return parts.map((part) => String(part).padStart(DIGITS, '0')).join('.');
}

/** The dialect of CloudEvents. */
export const cloudEvents: Dialect<CloudEventFrame> = guarded({
  name: NAME,
  whole: ['operation', 'operation.clear', 'card', 'run', 'session'],
  detect: (frame) => {
    const each = Array.isArray(frame) ? frame.slice(0, MAX_BATCH) : [frame];
    return each.length > 0 && each.every((one) => isObject(one) && one['specversion'] === VERSION && typeOf(one['type']) !== undefined);
  },
  decode,
  encode: (event) => [encodeOne(event)],
});
