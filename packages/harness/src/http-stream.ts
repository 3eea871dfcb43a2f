import { withReporter } from './context/current.ts';
import type { Clock } from './clock.ts';
import { ownRequest } from './http.ts';
import type { FetchLike, HeaderSource } from './http.ts';

/** A stream of server-sent events to read. */
export interface StreamRequest {
  readonly url: string;
  readonly headers: HeaderSource | undefined;
  readonly fetch: FetchLike | undefined;
  readonly clock: Clock;
  /** After how long without a byte it counts as lost, milliseconds. */
  readonly silenceMs: number;
  /** Gives up at once. */
  readonly signal: AbortSignal;
  /** Characters of one line at most. */
  readonly maxLine: number;
  readonly onOpen: () => void;
  /** The data of each event, one line of it: more no gateway of ours sends. */
  readonly onData: (text: string) => void;
}

/**
 * Reads until the stream ends. Answers the status where it was refused; undefined after a stream that was one. Rejects when
 * the connection was lost, silent, or `signal` gave up.
 */
export async function openStream(request: StreamRequest): Promise<number | undefined> {
  const abort = new AbortController();
  const onAbort = (): void => abort.abort();
  request.signal.addEventListener('abort', onAbort);
  let cancel = (): void => {};
  const heard = (): void => {
    cancel();
    cancel = request.clock.after(request.silenceMs, () => abort.abort(new Error('nothing came for too long')), true);
  };
  heard();
  try {
    return await withReporter(undefined, () => read(request, abort.signal, heard));
  } finally {
    cancel();
    request.signal.removeEventListener('abort', onAbort);
    abort.abort();
  }
}

async function read(request: StreamRequest, signal: AbortSignal, heard: () => void): Promise<number | undefined> {
  const extra = typeof request.headers === 'function' ? await request.headers() : request.headers;
  const init = ownRequest({ method: 'GET', headers: { accept: 'text/event-stream', ...extra }, signal, redirect: 'manual' });
  const response = await (request.fetch ?? globalThis.fetch)(request.url, init);
  if (response.status !== 200 || !response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null) {
    await response.body?.cancel().catch(() => undefined);
    // A success that is no stream is not what was asked for.
    return response.status === 200 ? 404 : response.status;
  }
  request.onOpen();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let line = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return undefined;
    heard();
    line += decoder.decode(value, { stream: true });
    const lines = line.split(/\r?\n/);
    line = lines.pop() ?? '';
    if (line.length > request.maxLine) throw new Error('a line is too long');
    for (const text of lines) if (text.startsWith('data:')) request.onData(text.slice(5).trim());
  }
}
