import { createSseSource } from '@sitrep/client';
import type { SourceSink } from '@sitrep/client';
import type { ConnectionState } from '@sitrep/schema/select';
import { DENIED, isDenied, refusal, UNREACHABLE } from './fetch-snapshot.ts';
import { headersOf } from '../session/session-headers.ts';
import { stir, wait } from './looks.ts';
import type { Looked } from './looks.ts';
import { isMultiplexed, Seat } from './seats.ts';

/** The part of the address that leads to the live stream. */
const STREAM = '/stream';

/** How long what was just loaded is believed to stand while its stream is on its way, milliseconds. */
const BELIEVED = 5_000;
/** How long what is known is out of date before the reader is told why, and may ask for it, milliseconds. */
const UNTOLD = 30_000;
/** How long a stream may go on that has no seat yet, milliseconds. */
const PATIENCE = 2_000;

/** Address of the live stream of the session at `address`; a query stays where it is. */
function streamAddress(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '') + STREAM;
  url.hash = '';
  return url.href;
}

/** Whose stream it is. */
interface Snapshots {
  /** Loads the snapshot again, for a look that nobody asked for; true if it is worth going on. `live` is told when it came. */
  readonly load: (live: () => void) => Promise<boolean>;
  /** How that went: whether the last one brought the session, and else why not. */
  readonly last: Looked & { readonly reached: boolean; why: string };
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
  /** Runs while what is known is out of date. */
  #outage: ReturnType<typeof setTimeout> | undefined;
  #end: (() => void) | undefined;

  /** Asks for a seat: it is there by the time the snapshot is. */
  constructor(address: string, sink: SourceSink, signal: AbortSignal, snapshots: Snapshots) {
    this.#address = address;
    this.#sink = sink;
    this.#signal = signal;
    this.#snapshots = snapshots;
    this.#seat = new Seat(address, signal);
    this.#judge('connecting');
  }

  /** Ends the wait for the next look, or for the next try of a stream. */
  hurry(): void {
    this.#end?.();
  }

  /** Gives its seat back, or waits for it no longer. */
  leave(): void {
    this.#seat.leave();
    this.#judge(undefined);
  }

  #tell(state: ConnectionState): void {
    this.#judge(state);
    this.#sink.connection(state);
  }

  /** What is known and has been out of date for long is said to be so, and why. */
  #judge(state: ConnectionState | undefined): void {
    if (state === 'connecting' || state === 'reconnecting') {
      const { last, failed } = this.#snapshots;
      if (this.#sink.cursor() !== undefined) this.#outage ??= setTimeout(() => failed(last.why), UNTOLD);
    } else {
      clearTimeout(this.#outage);
      this.#outage = undefined;
    }
  }

  /** Reads the session until that is given up, by looks while no stream can be had. `fresh`: it was loaded just now. True if nothing more will come. */
  async follow(fresh: boolean): Promise<boolean> {
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
    const { load, last } = this.#snapshots;
    for (let first = true; !seat.over.aborted && !isMultiplexed(this.#address); first = false) {
      await wait(first ? undefined : last, seat.over, this.#address, (end) => (this.#end = end));
      if (seat.over.aborted) break;
      const { failures } = last;
      if (!first || (!fresh && failures === 0)) {
        if (!(await load(() => this.#tell('live')))) {
          this.#tell('lost');
          return false;
        }
        if (seat.over.aborted) break;
        looked = last.reached;
        if (looked && failures > 0) stir(this.#address);
      } else if (looked) this.#tell('live');
      if (!looked) this.#tell('reconnecting');
    }
    return !signal.aborted && this.#read(signal, looked);
  }

  /** Reads the stream until it gives up. True if the server said that nothing more will come. `shown`: what is shown is up to date. */
  async #read(signal: AbortSignal, shown: boolean): Promise<boolean> {
    const sink = this.#sink;
    const url = streamAddress(this.#address);
    let last = '' as ConnectionState | '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    for (let again = true; again;) {
      const opening = new AbortController();
      const end = (): void => opening.abort();
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      this.#end = () => last !== 'live' && end();
      await createSseSource({ url, headers: headersOf(url) }).open(
        {
          frame: (value, cursor) => {
            this.#snapshots.failed(undefined);
            sink.frame(value, cursor);
          },
          connection: (state) => {
            clearTimeout(timer);
            // What was just looked at is not in question because there is a stream for it now, unless that keeps everybody waiting.
            if (!(shown && last === '' && state === 'connecting')) this.#tell(state);
            else timer = setTimeout(() => this.#tell(state), BELIEVED);
            if (state === 'live' && last === 'reconnecting') stir(this.#address);
            last = state;
          },
          diagnostic: (fault) => {
            this.#snapshots.last.why = fault.status ? refusal(fault.status) : UNREACHABLE;
            if (isDenied(fault.status)) this.#snapshots.failed(DENIED, true);
            sink.diagnostic(fault);
          },
          cursor: sink.cursor,
        },
        opening.signal,
      );
      signal.removeEventListener('abort', end);
      again = opening.signal.aborted && !signal.aborted;
    }
    clearTimeout(timer);
    return last === 'ended';
  }
}
