import type { ProgressEvent } from '../../wire/event.ts';
import type { Operation, OperationEvent } from '../../wire/operation.ts';
import { isFinal } from '../../wire/states.ts';
import type { OperationState } from '../../wire/states.ts';
import { hundredthsDone } from '../amounts-out.ts';
import type { Encoded, SessionView } from '../dialect.ts';
import { present } from '../finish.ts';
import { leftOpen, mergedOperation } from '../merged-operation.ts';
import type { WholeOperation } from '../merged-operation.ts';
import { nativeId } from '../native.ts';
import { detailText, titleText } from '../text-out.ts';
import { CANCEL, CREATE, LSP_EVENT_KEY, NAME, PROGRESS } from './frames.ts';
import type { LspFrame, LspProgressValue, LspToken } from './frames.ts';
import { tokenOf } from './tokens.ts';

/** States that need no word in the message: the kind of the value or an endless bar says enough. */
const SILENT: readonly OperationState[] = ['completed'];
/** What decoding one of the peer's own messages leads to, and nothing else. */
const OF_THE_PEER = new Set([
  'type',
  'session',
  'run',
  'id',
  'parent',
  'attempt',
  'at',
  'state',
  'title',
  'message',
  'fraction',
  'cancellable',
  'native',
]);

/** The messages for one event. */
export function encode(event: ProgressEvent, before?: SessionView): Encoded<LspFrame> {
  switch (event.type) {
    case 'operation':
      return encodeOperation(event, before);
    case 'operation.clear':
      return encodeClear(event, before);
    case 'run':
      return isFinal(event.state) ? leftOpen(event, before).flatMap((each) => encodeOperation(each, before)) : [];
    default:
      return [];
  }
}

function encodeClear(event: ProgressEvent & { type: 'operation.clear' }, before?: SessionView): Encoded<LspFrame> {
  const record = before?.find(event.id, event.run);
  if (record === undefined || isOnlyCreated(record) || isFinal(record.state)) return [];
  return [progress(tokenOfRecord(record, event), { kind: 'end', [LSP_EVENT_KEY]: event })];
}

function tokenOfRecord(record: Operation, { session, at }: { readonly session: string; readonly at: number }): LspToken {
  return tokenOf({ ...record, type: 'operation', session, at });
}

/** The end of an attempt that was given up for a higher one without a word: its token would be shown as going on for ever. */
function endOfFormer(event: OperationEvent, token: LspToken, record: Operation | undefined): LspFrame[] {
  if (record === undefined || record.attempt >= (event.attempt ?? 1) || isFinal(record.state) || isOnlyCreated(record)) return [];
  const former = tokenOfRecord(record, event);
  return former === token ? [] : [progress(former, { kind: 'end', [LSP_EVENT_KEY]: null })];
}

function encodeOperation(event: OperationEvent, before?: SessionView): Encoded<LspFrame> {
  const whole = mergedOperation(event, before);
  const token = tokenOf(whole);
  const isTheirs = whole.native?.protocol === NAME;
  if (isTheirs && event.cancelRequested === true && event.state === undefined)
    return [{ jsonrpc: '2.0', method: CANCEL, params: { token } }];
  const record = before?.find(event.id, event.run);
  const held = record?.attempt === (event.attempt ?? 1) ? record : undefined;
  if (isTheirs && whole.native?.state === 'create' && whole.state === 'pending')
    // What the peer has created and not begun is its own to begin.
    return held === undefined ? [create(event, token)] : [];
  const isBegun = held !== undefined && !isOnlyCreated(held);
  const frames = endOfFormer(event, token, record);
  if (held === undefined && !isTheirs) frames.push(create(event, token));
  const ends = isFinal(whole.state);
  const title = titleText(whole);
  if (ends && !isBegun) frames.push(progress(token, { kind: 'begin', title, [LSP_EVENT_KEY]: null }));
  const shown = {
    ...present({ message: messageOut(event, whole, isBegun ? held : undefined) }),
    ...amountOut(event, whole),
    ...slot(event),
  };
  if (ends) frames.push(progress(token, { kind: 'end', ...shown }));
  else if (isBegun) frames.push(progress(token, { kind: 'report', ...cancellable(event), ...shown }));
  else frames.push(progress(token, { kind: 'begin', title, ...cancellable(whole), ...shown }));
  return frames;
}

function isOnlyCreated({ native, state }: Operation): boolean {
  return state === 'pending' && native?.protocol === NAME && native.state === 'create';
}

/** A create of ours is only the grammar's, and no event on the way back; one of the peer goes back as it came. */
function create(event: OperationEvent, token: LspToken): LspFrame {
  const id = nativeId(event, NAME, 'request') ?? `sitrep/${JSON.stringify(token)}`;
  return { jsonrpc: '2.0', id, method: CREATE, params: isEcho(event) ? { token } : { token, [LSP_EVENT_KEY]: null } };
}

function progress(token: LspToken, value: LspProgressValue): LspFrame {
  return { jsonrpc: '2.0', method: PROGRESS, params: { token, value } };
}

function cancellable({ cancellable: can }: Pick<OperationEvent, 'cancellable'>): { cancellable?: boolean } {
  return typeof can === 'boolean' ? { cancellable: can } : {};
}

/** A message that did not change is left out: then the peer keeps what it shows. An emptied one is sent empty. */
function messageOut(event: OperationEvent, whole: WholeOperation, record: Operation | undefined): string | undefined {
  const text = isEcho(event) ? (whole.message ?? '') : detailText(whole, SILENT);
  if (typeof event.message === 'string') return text;
  const shown = record === undefined ? '' : detailText({ ...record, type: 'operation', session: event.session, at: event.at }, SILENT);
  return text === shown ? undefined : text;
}

/**
 * The percentage, as long as one is known: a client that began with one may pass over a message that comes without. What
 * the peer itself said goes back as it was said. An end has none.
 */
function amountOut(event: OperationEvent, whole: WholeOperation): { percentage?: number } {
  if (isFinal(whole.state)) return {};
  const { current, total, fraction } = event;
  if (isEcho(event)) {
    if (current === undefined && total === undefined && fraction === undefined) return {};
    const written = nativeId(event, NAME, 'percentage');
    if (typeof written === 'number' && Math.min(1, Math.max(0, written / 100)) === fraction) return { percentage: written };
  }
  return present({ percentage: hundredthsDone(whole) });
}

/** Our whole event, unless the event is no more than one of the peer's own messages. */
function slot(event: OperationEvent): { [LSP_EVENT_KEY]?: OperationEvent } {
  return isEcho(event) ? {} : { [LSP_EVENT_KEY]: event };
}

function isEcho(event: OperationEvent): boolean {
  const { native, state } = event;
  if (native?.protocol !== NAME || !Object.keys(event).every((key) => OF_THE_PEER.has(key))) return false;
  switch (native.state) {
    case 'create':
      return state === 'pending';
    case 'begin':
    case 'report':
      return state === 'running';
    case 'end':
      return state === 'completed' || state === 'cancelled';
    default:
      return false;
  }
}
