import { isTransient, pauseAfter } from '../backoff.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import { causeOf, gatewayUrl, sessionUrl, shownUrl } from '../http.ts';
import { openStream } from '../http-stream.ts';
import type { FetchLike, HeaderSource } from '../http.ts';
import { isObject } from '../json.ts';
import { attempt } from '../sink/hand-over.ts';

/** What a producer is asked: to write the card of its session anew. */
export interface RefreshRequest {
  /** Names the request. */
  readonly id: string;
  readonly session: string;
  /** The card's revision when it was asked; writing the card answers the request. */
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Options of `listenForRefresh`. Times in milliseconds. */
export interface RefreshListenerOptions {
  /** Address of the gateway, such as `http://127.0.0.1:4747`. */
  readonly url: string;
  /** The session whose card this program writes. */
  readonly session: string;
  /** Called once for each request: have the card written anew, in your own time. What it throws or rejects with is told and survived. */
  readonly onRefresh: (request: RefreshRequest) => unknown;
  /** Headers to add, such as `authorization`; the token must allow writing. */
  readonly headers?: HeaderSource | undefined;
  /** Default: the platform's. */
  readonly fetch?: FetchLike | undefined;
  /** After how long without a byte the connection counts as lost. The gateway says something every 15 s. Default: 45,000. */
  readonly silenceMs?: number | undefined;
  /** First pause after a lost connection; doubles up to `maxBackoffMs`, less a random part of up to a half. Default: 250. */
  readonly backoffMs?: number | undefined;
  /** Default: 30,000. */
  readonly maxBackoffMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Numbers in 0…1 for the backoff. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Told of lost connections, refused ones, and of what `onRefresh` threw. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** Characters of one request at most; more is no gateway's. */
const MAX_LINE = 65_536;
/** Requests that are known by their ids, so that one that comes again is not handed on again. */
const MAX_KNOWN = 100;

/**
 * Listens at a gateway for requests to write the card of a session anew, until the returned function is called. Comes back
 * after a lost connection; a gateway that refuses (401, 403, 404 and other statuses that asking again does not change) is
 * told and not asked again, unless headers are made anew. Holds the process open while it listens. Throws a TypeError for
 * a `url` that is no http or https address.
 */
export function listenForRefresh(options: RefreshListenerOptions): () => void {
  gatewayUrl('listenForRefresh', options);
  const { session, headers, fetch, onRefresh, onDiagnostic, silenceMs = 45_000, clock = systemClock } = options;
  const name = `gateway at ${shownUrl(options.url)}`;
  const stop = new AbortController();
  const known = new Set<string>();

  const hand = (text: string): void => {
    const request = parse(text);
    if (request === undefined || known.has(request.id)) return;
    if (known.size >= MAX_KNOWN) known.delete(known.values().next().value as string);
    known.add(request.id);
    attempt(
      () => onRefresh(request),
      (error) => tell(onDiagnostic, { code: 'listener_failed', message: `The listener for refresh requests failed: ${causeOf(error)}` }),
    );
  };

  const listen = async (): Promise<void> => {
    for (let failures = 0; !stop.signal.aborted; failures += 1) {
      try {
        const refused = await openStream({
          url: sessionUrl(options.url, session, 'requests'),
          headers,
          fetch,
          clock,
          silenceMs,
          signal: stop.signal,
          maxLine: MAX_LINE,
          onOpen: () => void (failures = 0),
          onData: hand,
        });
        if (refused !== undefined) {
          const again = isTransient(refused) || (refused === 401 && typeof headers === 'function');
          const message = `The ${name} answered ${refused} to listening for requests; ${again ? 'it is tried again' : 'nothing is listened for any more'}.`;
          tell(onDiagnostic, { code: 'http_status', message, status: refused });
          if (!again) return;
        }
      } catch (error) {
        if (stop.signal.aborted) return;
        if (failures === 0)
          tell(onDiagnostic, { code: 'network', message: `The ${name} could not be listened to (${causeOf(error)}); it is tried again.` });
      }
      if (stop.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const cancel = clock.after(pauseAfter(failures, options), resolve, true);
        stop.signal.addEventListener('abort', () => (cancel(), resolve()), { once: true });
      });
    }
  };

  void listen();
  return () => stop.abort();
}

function parse(text: string): RefreshRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value) || value['type'] !== 'card.refresh') return undefined;
  const { id, session, revision, at } = value;
  if (typeof id !== 'string' || typeof session !== 'string' || !Number.isSafeInteger(revision) || typeof at !== 'number') return undefined;
  return { id, session, revision: revision as number, at };
}
