import { isObject } from '../json.ts';
import { isSignal } from '../reporter/on-abort.ts';
import { isRequest } from './messages.ts';

/** What becomes of the stream a request has to itself, on transports that open one for each. */
export interface RequestStream {
  /** Options of the transport's `send` that let the stream be watched and ended from here. */
  readonly options: unknown;
  /** The client's own signal: aborting it ends the stream, which is how a request is cancelled there. */
  readonly signal: AbortSignal | undefined;
  /** Ends the stream from here. */
  readonly abort: () => void;
}

/**
 * Watches the stream of a call on a transport with a stream for each request (`hasPerRequestStream`, Streamable HTTP of SDK
 * 2.x). `ended` is called when the server closed it or the network lost it, after its answer or instead of one. Undefined
 * for other messages and transports.
 */
export function requestStream(transport: object, message: unknown, sendOptions: unknown, ended: () => void): RequestStream | undefined {
  if (!isRequest(message) || message.method !== 'tools/call') return undefined;
  const options = isObject(sendOptions) ? sendOptions : {};
  const given = options['requestSignal'];
  const signal = isSignal(given) ? given : undefined;
  const watched = (transport as { hasPerRequestStream?: unknown }).hasPerRequestStream === true;
  if (signal === undefined && !watched) return undefined;
  const own = new AbortController();
  if (signal?.aborted === true) own.abort(signal.reason);
  else signal?.addEventListener('abort', () => own.abort(signal.reason), { once: true });
  const before = options['onRequestStreamEnd'];
  return {
    options: {
      ...options,
      // A client of 2025-11-25 gives no signal and cancels with a notice; so does the tap then.
      ...(signal === undefined ? undefined : { requestSignal: own.signal }),
      onRequestStreamEnd() {
        ended();
        if (typeof before === 'function') Reflect.apply(before, undefined, []);
      },
    },
    signal,
    abort: () => own.abort(),
  };
}
