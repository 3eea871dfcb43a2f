import type { Source, SourceSink } from '@sitrep/client';
import { takeGiven } from '../session/given.ts';
import { takeAhead } from './ahead.ts';
import { fetchSnapshot, SnapshotError, UNREACHABLE } from './fetch-snapshot.ts';
import type { SessionStream } from './session-stream.ts';

/**
 * A session by its address: its snapshot first, then its stream from the snapshot's position. The snapshot goes into the
 * store like any other frame, so nothing is shown that was not checked, and a failed one changes nothing. While the browser has no
 * connection left for one more stream, the snapshot is asked for again and again. An outage is the same to the reader in both cases:
 * what is known is out of date, and after a while is said to be so, and why.
 */
export class SessionSource implements Source {
  readonly #address: string;
  readonly #failed: (message: string | undefined, denied?: boolean) => void;
  #loading: AbortController | undefined;
  #again: (() => void) | undefined;
  #sink: SourceSink | undefined;
  #stream: SessionStream | undefined;
  /** How the last loads went. */
  readonly #looked = { reached: false, failures: 0, asked: 0, why: UNREACHABLE };
  /** What was loaded last came from the server just then, not with the page. */
  #fetched = false;

  /** `failed` is told why the session could not be loaded, and whether the reader has no right to it; `undefined` once it could. */
  constructor(address: string, failed: (message: string | undefined, denied?: boolean) => void) {
    this.#address = address;
    this.#failed = failed;
  }

  /** Loads the snapshot again; opens the stream again if it had given up, and at once if it waits to be opened again. */
  retry(): void {
    if (this.#again) this.#again();
    else if (this.#sink) void this.#retry(this.#sink);
  }

  async #retry(sink: SourceSink): Promise<void> {
    if ((await this.#load(sink)) && this.#looked.reached) this.#stream?.hurry();
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
      // What reads the stream comes, and asks for a seat, while the snapshot is on its way.
      const coming = this.#streamOf(sink, signal);
      const known = sink.cursor() !== undefined;
      const reachable = known || (await this.#load(sink));
      const fresh = !known && this.#fetched && sink.cursor() !== undefined && !signal.aborted;
      if (fresh) {
        // What was loaded a moment ago is in no question. The stream begins anew from here, and may say that it stands earlier.
        sink.connection('connecting');
        sink.connection('live');
      }
      const stream = (this.#stream = await coming);
      const ended = reachable && (await stream?.follow(fresh));
      stream?.leave();
      this.#stream = undefined;
      if (ended) break;
      if (!reachable || !stream) sink.connection('lost');
      if (signal.aborted) break;
      await new Promise<void>((resolve) => (this.#again = resolve));
      this.#again = undefined;
    }
    signal.removeEventListener('abort', abort);
    this.#sink = undefined;
  }

  /** What reads the live stream; undefined where the code for it cannot be had. */
  async #streamOf(sink: SourceSink, signal: AbortSignal): Promise<SessionStream | undefined> {
    try {
      const { SessionStream } = await import('./session-stream.ts');
      return new SessionStream(this.#address, sink, signal, {
        load: (live) => this.#load(sink, live),
        last: this.#looked,
        failed: this.#failed,
      });
    } catch {
      return undefined;
    }
  }

  /**
   * True if it is worth opening the stream: it was loaded, or what failed may pass by itself. `live` is given for a look that nobody asked
   * for, and told before what was found is handed on: it shows that nothing is missing.
   */
  async #load(sink: SourceSink, live?: () => void): Promise<boolean> {
    this.#stop();
    const loading = (this.#loading = new AbortController());
    // One that was asked for later says what there is to say.
    const isNewest = (): boolean => this.#loading === loading;
    try {
      const given = takeGiven(this.#address);
      const value = given ?? (await (takeAhead(this.#address) ?? fetchSnapshot(this.#address, loading)));
      if (!isNewest()) return true;
      const { epoch, seq, at } = (value ?? {}) as { readonly epoch?: unknown; readonly seq?: unknown; readonly at?: unknown };
      live?.();
      // What is known already needs no second look, only the word that it still stands.
      if (sink.cursor() === undefined || `${epoch}:${seq}` !== sink.cursor()) sink.frame(value);
      else if (live) sink.frame({ type: 'heartbeat', epoch, seq, at });
      this.#failed(undefined);
      Object.assign(this.#looked, { reached: true, failures: 0, asked: 0 });
      this.#fetched = given === undefined;
      return true;
    } catch (error) {
      if (!isNewest()) return true;
      this.#looked.reached = this.#fetched = false;
      if (!(error instanceof SnapshotError)) return false;
      const { message, final, asked } = error;
      Object.assign(this.#looked, { failures: this.#looked.failures + 1, asked, why: message });
      // A look that brought nothing is like a stream that breaks: it passes, mostly.
      if (final || !live || sink.cursor() === undefined) this.#failed(message, error.denied);
      sink.diagnostic({ code: 'snapshot', message });
      return !final;
    }
  }

  /** Lets go of the snapshot that is on its way. */
  #stop(): void {
    this.#loading?.abort();
    this.#loading = undefined;
  }
}
