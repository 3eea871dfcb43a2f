import { EVENT_TYPES } from '@sitrep/schema';
import type { EventType } from '@sitrep/schema';
import { withQuery } from './address.ts';
import { Attempts } from './attempts.ts';
import type { Ending } from './attempts.ts';
import { eventSize } from './connect-options.ts';
import type { ConnectOptions } from './connect-options.ts';
import { deliverText, goodbye, parse } from './frame-text.ts';
import { guardSink } from './guard.ts';
import { needUrl } from './request-headers.ts';
import type { Source, SourceSink } from './source.ts';
import { unlessAborted } from './wait.ts';

/** What a source needs of an EventSource: that of the platform, or of anything alike. */
export interface EventSourceLike {
  addEventListener(type: string, listener: (event: never) => void): void;
  removeEventListener(type: string, listener: (event: never) => void): void;
  close(): void;
}

export interface EventSourceSourceOptions extends ConnectOptions {
  /** Address of the event stream. In a page it may be relative. */
  readonly url: string | URL;
  /** A one-use ticket, in the address; a function, since each connection needs its own. */
  readonly ticket?: (() => string | Promise<string>) | undefined;
  /** True to send cookies to another origin. Default: to its own alone. */
  readonly withCredentials?: boolean | undefined;
  /** Names of the events to hear, beside those of our gateway and nameless ones: an EventSource hears none it was not told of. */
  readonly events?: readonly string[] | undefined;
  /** Makes the EventSource. Default: `new EventSource(url, init)`. */
  readonly connect?: ((url: string, init: { readonly withCredentials: boolean }) => EventSourceLike) | undefined;
}

/** Events that hold no position in their `id`, and repeat the last one before them. */
const CONTROL: readonly string[] = ['heartbeat', 'resync', 'end'] satisfies EventType[];

/**
 * A source over the platform's own EventSource, for where `fetch` cannot stream or a policy lets nothing else pass. Prefer
 * `createSseSource`: an EventSource sends no headers, does not tell why it failed, and hands on events at a fraction of the
 * speed.
 *
 * - Resume: each connection carries what `sink.cursor()` says at that moment as `?cursor=`. The platform's own reconnecting is
 *   not used: it would repeat a ticket that was used and a position that is old.
 * - Reconnect: whatever ended a connection, by exponential backoff with full jitter, without end. A status cannot be seen, so
 *   it never gives up; coming back online or into view cuts a wait short.
 * - Online again: what is connected, or waits for an answer, may be dead without a word, and is begun anew at once.
 * - Stop: an event named `end` gives `ended`, unless its reason is `token_expired` or `shutdown`.
 * - Silence: see `heartbeatInterval`. Comments do not count as a sign of life, events of any name do.
 *
 * Diagnostic codes: `network`, `token_expired`, `shutdown`, `watchdog`, `json`, `too_large`, `sink`.
 *
 * @throws TypeError without an url, RangeError if `maxEventSize` is below 1,024 or no number.
 */
export function createEventSourceSource(options: EventSourceSourceOptions): Source {
  needUrl('createEventSourceSource', options);
  const maxEventSize = eventSize(options);
  return { open: (sink, signal) => new EventSourceOpening({ ...options, maxEventSize }, guardSink(sink, signal), signal).run() };
}

/** An event of an EventSource: of the stream, where it has data, else of the connection. */
interface PlatformEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly lastEventId?: string;
}

/** One opening of the source: everything that lives across its reconnects. */
class EventSourceOpening {
  readonly #options: EventSourceSourceOptions & { readonly maxEventSize: number };
  readonly #sink: SourceSink;
  readonly #attempts: Attempts;

  constructor(options: EventSourceSourceOptions & { readonly maxEventSize: number }, sink: SourceSink, signal: AbortSignal) {
    this.#options = options;
    this.#sink = sink;
    this.#attempts = new Attempts(sink, signal, options, false);
  }

  run(): Promise<void> {
    return this.#attempts.run((signal) => this.#connect(signal));
  }

  async #connect(signal: AbortSignal): Promise<Ending> {
    const { url, ticket, withCredentials = false, connect = platformEventSource } = this.#options;
    const once = ticket && (await unlessAborted((async () => ticket())(), signal));
    const address = withQuery(url, { cursor: this.#sink.cursor() || undefined, ticket: once });
    return this.#read(connect(address, { withCredentials }), signal);
  }

  #read(stream: EventSourceLike, signal: AbortSignal): Promise<Ending> {
    return new Promise<Ending>((resolve, reject) => {
      let events = 0;
      const leave = (): void => {
        for (const [type, listener] of listeners) stream.removeEventListener(type, listener);
        signal.removeEventListener('abort', abort);
        stream.close();
      };
      const abort = (): void => {
        leave();
        reject(signal.reason as Error);
      };
      const over = (ending: Ending): void => {
        leave();
        resolve(ending);
      };
      const opened = (): void => this.#attempts.accepted();
      const heard = (event: PlatformEvent): void => {
        events += 1;
        const { type } = event;
        const data = String(event.data);
        const bye = type === 'end' ? goodbye(parse(data)?.value) : undefined;
        if (!bye || bye === 'ended') this.#deliver(type, data, event.lastEventId);
        if (signal.aborted) return;
        if (bye) return over(this.#attempts.dismissed(bye, events > 1));
        this.#attempts.heard(type === 'heartbeat');
      };
      const failed = (event: PlatformEvent): void => {
        // A stream may have events of this name; they come where the faults do.
        if (event.data !== undefined) return heard(event);
        over(
          this.#attempts.fail(
            'network',
            events > 0 ? 'The event stream ended.' : 'The event stream could not be opened; an EventSource does not say why.',
          ),
        );
      };
      const { events: more = [] } = this.#options;
      const listeners = [
        ['open', opened],
        ['error', failed],
        ...[...new Set(['message', ...EVENT_TYPES, ...more])].map((type) => [type, heard] as const),
      ] as const;
      for (const [type, listener] of listeners) stream.addEventListener(type, listener);
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
    });
  }

  #deliver(type: string, data: string, id: string | undefined): void {
    const { maxEventSize } = this.#options;
    if (data === '') return;
    if (data.length > maxEventSize) {
      return this.#sink.diagnostic({ code: 'too_large', message: `An event is larger than ${maxEventSize} characters; it was skipped.` });
    }
    deliverText(this.#sink, data, CONTROL.includes(type) ? undefined : id || undefined);
  }
}

function platformEventSource(url: string, init: { readonly withCredentials: boolean }): EventSourceLike {
  const { EventSource: Platform } = globalThis as { EventSource?: new (url: string, init: object) => unknown };
  if (Platform === undefined) throw new TypeError('This platform has no EventSource: give one with the option connect');
  return new Platform(url, init) as EventSourceLike;
}
