import { createSseSource } from '@sitrep/client';
import type { SourceSink } from '@sitrep/client';
import { DENIED, isDenied } from './fetch-snapshot.ts';
import { isMultiplexed, Seat } from './seats.ts';

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
function streamAddress(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '') + STREAM;
  url.hash = '';
  return url.href;
}

/** Whose stream it is. */
interface Snapshots {
  /** Loads the snapshot again; true if it is worth going on. */
  readonly load: () => Promise<boolean>;
  /** Whether the last look brought the session. */
  readonly reached: () => boolean;
  /** Told why the session could not be read, and whether the reader has no right to it; `undefined` once it could. */
  readonly failed: (message: string | undefined, denied?: boolean) => void;
}

/** The live stream of a session, one reading of it, with the seat it needs. It is loaded while the snapshot is on its way. */
export class SessionStream {
  readonly #address: string;
  readonly #sink: SourceSink;
  readonly #signal: AbortSignal;
  readonly #snapshots: Snapshots;
  readonly #seat: Seat;

  /** Asks for a seat: it is there by the time the snapshot is. */
  constructor(address: string, sink: SourceSink, signal: AbortSignal, snapshots: Snapshots) {
    this.#address = address;
    this.#sink = sink;
    this.#signal = signal;
    this.#snapshots = snapshots;
    this.#seat = new Seat(address, signal);
  }

  /** Gives its seat back, or waits for it no longer. */
  leave(): void {
    this.#seat.leave();
  }

  /** Reads the session until that is given up, by looks while no stream can be had. `fresh`: it was loaded just now. True if nothing more will come. */
  async follow(fresh: boolean): Promise<boolean> {
    const sink = this.#sink;
    const signal = this.#signal;
    const seat = this.#seat;
    if (signal.aborted) return false;
    if (seat.likely) {
      // Nobody waits for a word of the other tabs. Where they have all seats, the stream is let go again.
      const trial = new AbortController();
      const end = (): void => trial.abort();
      signal.addEventListener('abort', end, { once: true });
      const timer = setTimeout(() => !seat.over.aborted && !isMultiplexed(this.#address) && end(), PATIENCE);
      const ended = await this.#read(trial.signal, fresh);
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (signal.aborted || !trial.signal.aborted) return ended;
    }
    let looked = fresh;
    for (let wait = SOON; !seat.over.aborted && !isMultiplexed(this.#address); wait = LOOK) {
      await pause(wait, seat.over);
      if (seat.over.aborted) break;
      if (wait === LOOK && !(await this.#snapshots.load())) {
        sink.connection('lost');
        return false;
      }
      if (seat.over.aborted) break;
      looked = this.#snapshots.reached();
      sink.connection(looked ? 'live' : 'reconnecting');
    }
    return !signal.aborted && this.#read(signal, looked);
  }

  /** Reads the stream until it gives up. True if the server said that nothing more will come. `shown`: what is shown is up to date. */
  async #read(signal: AbortSignal, shown: boolean): Promise<boolean> {
    const sink = this.#sink;
    let last = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    await createSseSource({ url: streamAddress(this.#address) }).open(
      {
        frame: (value, cursor) => {
          this.#snapshots.failed(undefined);
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
          if (isDenied(fault.status)) this.#snapshots.failed(DENIED, true);
          sink.diagnostic(fault);
        },
        cursor: sink.cursor,
      },
      signal,
    );
    clearTimeout(timer);
    return last === 'ended';
  }
}
