import type { ProgressEvent } from '../../wire/event.ts';
import type { SessionView } from '../dialect.ts';
import { nativeId } from '../native.ts';
import { metaOf } from './words.ts';
import type { AcpWords } from './words.ts';
import { writeCall } from './write-call.ts';
import type { AcpCallUpdate } from './write-call.ts';

/** An update of the session that only says its title, or nothing beside our event. */
export interface AcpSessionInfoUpdate {
  readonly sessionUpdate: 'session_info_update';
  readonly title?: string | null;
  readonly _meta: Readonly<Record<string, unknown>>;
}

/** The notification every update travels in. */
export interface AcpUpdateFrame<Update> {
  readonly jsonrpc: '2.0';
  readonly method: 'session/update';
  readonly params: { readonly sessionId: string; readonly update: Update };
}

/** An event as an update of a call where it is one, else as one that carries it beside no words but a title. */
export function writeUpdate(event: ProgressEvent, before: SessionView | undefined, words: AcpWords): AcpCallUpdate | AcpSessionInfoUpdate {
  if (event.type === 'operation') return writeCall(event, before, words);
  const title = event.type === 'session' && event.title !== undefined ? { title: event.title } : undefined;
  return { sessionUpdate: 'session_info_update', ...title, _meta: metaOf(event, words) };
}

/** The update in its notification, to the session by the peer's name where that is known. */
export function notified<Update>(event: ProgressEvent, update: Update, { name }: AcpWords): AcpUpdateFrame<Update> {
  const known = event.type === 'operation' ? nativeId(event, name, 'sessionId') : undefined;
  return { jsonrpc: '2.0', method: 'session/update', params: { sessionId: String(known ?? event.session), update } };
}
