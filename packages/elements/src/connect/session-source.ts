import { createSseSource } from '@sitrep/client';
import type { Source, SourceSink } from '@sitrep/client';
import { isMultiplexed, Seat } from './seats.ts';
import { takeGiven } from '../session/given.ts';
import { takeAhead } from './ahead.ts';
import { DENIED, fetchSnapshot, isDenied, SnapshotError } from './fetch-snapshot.ts';

/** The part of the address that leads to the live stream. */
const STREAM = '/stream';

/** Time between two looks at a session that waits for a stream, milliseconds. */
const LOOK = 5_000;
/** How long a seat may take before there is none, milliseconds. */
const SOON = 100;
/** How long a stream may go on that has no seat yet, milliseconds. */
const PATIENCE = 2_000;

/** Resolves after a while, or at once when it is over. */
const pause = (ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      over.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    over.addEventListener('abort', end, { once: true });
  });

/** Address of the live stream of the session at `address`; a query stays where it is. */
export function streamAddress(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '') + STREAM;
  url.hash = '';
  return url.href;
}

/**
 * A session by its address: its snapshot first, then its stream from the snapshot's position. The snapshot goes into the
 * store like any other frame, so nothing is shown that was not checked, and a failed one changes nothing. While the browser has no
 * connection left for one more stream, the snapshot is asked for again and again.
 */
export class SessionSource implements Source {
  readonly #address: string;
  readonly #failed: (message: string | undefined, denied?: boolean) => void;
  #loading: AbortController | undefined;
  #again: (() => void) | undefined;
  #sink: SourceSink | undefined;
  /** The last look brought the session. */
  #reached = false;
  /** What was loaded last came from the server just then, not with the page. */
  #fetched = false;

  /** `failed` is told why the session could not be loaded, and whether the reader has no right to it; `undefined` once it could. */
  constructor(address: string, failed: (message: string | undefined, denied?: boolean) => void) {
    this.#address = address;
    this.#failed = failed;
  }

  /** Loads the snapshot again; opens the stream again if it had given up. */
  retry(): void {
    if (this.#again) this.#again();
    else if (this.#sink) void this.#load(this.#sink);
  }

  async open(sink: SourceSink, signal: AbortSignal): Promise<void> {
    const abort = (): void => {
      this.#stop();
      this.#again?.();
    };
    signal.addEventListener('abort', abort);
    this.#sink = sink;
    while (!signal.aborted) {
      sink.connection('connecting');
      // Asked for early: it is there by the time the snapshot is.
      const seat = new Seat(this.#address, signal);
      const known = sink.cursor() !== undefined;
      const reachable = known || (await this.#load(sink));
      const fresh = !known && this.#fetched && sink.cursor() !== undefined && !signal.aborted;
      if (fresh) {
        // What was loaded a moment ago is in no question. The stream begins anew from here, and may say that it stands earlier.
        sink.connection('connecting');
        sink.connection('live');
      }
      const ended = reachable && (await this.#follow(sink, signal, seat, fresh));
      seat.leave();
      if (ended) break;
      if (!reachable) sink.connection('lost');
      if (signal.aborted) break;
      await new Promise<void>((resolve) => (this.#again = resolve));
      this.#again = undefined;
    }
    signal.removeEventListener('abort', abort);
    this.#sink = undefined;
  }

  /** True if it is worth opening the stream: it was loaded, or what failed may pass by itself. */
  async #load(sink: SourceSink): Promise<boolean> {
    this.#stop();
    const loading = (this.#loading = new AbortController());
    // One that was asked for later says what there is to say.
    const isNewest = (): boolean => this.#loading === loading;
    try {
      const given = takeGiven(this.#address);
      const value = given ?? (await (takeAhead(this.#address) ?? fetchSnapshot(this.#address, loading)));
      if (!isNewest()) return true;
      const { epoch, seq } = (value ?? {}) as { readonly epoch?: unknown; readonly seq?: unknown };
      // What is known already needs no second look.
      if (sink.cursor() === undefined || `${epoch}:${seq}` !== sink.cursor()) sink.frame(value);
      this.#failed(undefined);
      this.#reached = true;
      this.#fetched = given === undefined;
      return true;
    } catch (error) {
      if (!isNewest()) return true;
      this.#reached = this.#fetched = false;
      if (!(error instanceof SnapshotError)) return false;
      this.#failed(error.message, error.denied);
      sink.diagnostic({ code: 'snapshot', message: error.message });
      return !error.final;
    }
  }

  /** Reads the session until that is given up, by looks while no stream can be had. `fresh`: it was loaded just now. True if nothing more will come. */
  async #follow(sink: SourceSink, signal: AbortSignal, seat: Seat, fresh: boolean): Promise<boolean> {
    if (signal.aborted) return false;
    if (seat.likely) {
      // Nobody waits for a word of the other tabs. Where they have all seats, the stream is let go again.
      const trial = new AbortController();
      const end = (): void => trial.abort();
      signal.addEventListener('abort', end, { once: true });
      const timer = setTimeout(() => !seat.over.aborted && !isMultiplexed(this.#address) && end(), PATIENCE);
      const ended = await this.#stream(sink, trial.signal, fresh);
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted || !trial.signal.aborted) return ended;
    }
    let looked = fresh;
    for (let wait = SOON; !seat.over.aborted && !isMultiplexed(this.#address); wait = LOOK) {
      await pause(wait, seat.over);
      if (seat.over.aborted) break;
      if (wait === LOOK && !(await this.#load(sink))) {
        sink.connection('lost');
        return false;
      }
      if (seat.over.aborted) break;
      looked = this.#reached;
      sink.connection(looked ? 'live' : 'reconnecting');
    }
    return !signal.aborted && this.#stream(sink, signal, looked);
  }

  /** Reads the stream until it gives up. True if the server said that nothing more will come. `shown`: what is shown is up to date. */
  async #stream(sink: SourceSink, signal: AbortSignal, shown: boolean): Promise<boolean> {
    let last = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    await createSseSource({ url: streamAddress(this.#address) }).open(
      {
        frame: (value, cursor) => {
          this.#failed(undefined);
          sink.frame(value, cursor);
        },
        connection: (state) => {
          clearTimeout(timer);
          // What was just looked at is not in question because there is a stream for it now, unless that keeps everybody waiting.
          if (!(shown && last === '' && state === 'connecting')) sink.connection(state);
          else timer = setTimeout(() => sink.connection(state), LOOK);
          last = state;
        },
        diagnostic: (fault) => {
          if (isDenied(fault.status)) this.#failed(DENIED, true);
          sink.diagnostic(fault);
        },
        cursor: sink.cursor,
      },
      signal,
    );
    clearTimeout(timer);
    return last === 'ended';
  }

  /** Lets go of the snapshot that is on its way. */
  #stop(): void {
    this.#loading?.abort();
    this.#loading = undefined;
  }
}
