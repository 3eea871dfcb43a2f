import { createSseSource } from '@sitrep/client';
import type { Source, SourceSink } from '@sitrep/client';
import { DENIED, fetchSnapshot, isDenied, SnapshotError } from './fetch-snapshot.ts';

/** The part of the address that leads to the live stream. */
const STREAM = '/stream';

/** Address of the live stream of the session at `address`; a query stays where it is. */
export function streamAddress(address: string): string {
  const url = new URL(address);
  url.pathname = url.pathname.replace(/\/$/, '') + STREAM;
  url.hash = '';
  return url.href;
}

/**
 * A session by its address: its snapshot first, then its stream from the snapshot's position. The snapshot goes into the
 * store like any other frame, so nothing is shown that was not checked, and a failed one changes nothing.
 */
export class SessionSource implements Source {
  readonly #address: string;
  readonly #failed: (message: string | undefined, denied?: boolean) => void;
  #loading: AbortController | undefined;
  #again: (() => void) | undefined;
  #sink: SourceSink | undefined;

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
      const reachable = sink.cursor() !== undefined || (await this.#load(sink));
      if (!reachable) sink.connection('lost');
      else if (await this.#stream(sink, signal)) break;
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
      const value = await fetchSnapshot(this.#address, loading);
      if (!isNewest()) return true;
      sink.frame(value);
      this.#failed(undefined);
      return true;
    } catch (error) {
      if (!isNewest()) return true;
      if (!(error instanceof SnapshotError)) return false;
      this.#failed(error.message, error.denied);
      sink.diagnostic({ code: 'snapshot', message: error.message });
      return !error.final;
    }
  }

  /** Reads the stream until it gives up. True if the server said that nothing more will come. */
  async #stream(sink: SourceSink, signal: AbortSignal): Promise<boolean> {
    let last = '';
    await createSseSource({ url: streamAddress(this.#address) }).open(
      {
        frame: (value, cursor) => {
          this.#failed(undefined);
          sink.frame(value, cursor);
        },
        connection: (state) => {
          last = state;
          sink.connection(state);
        },
        diagnostic: (fault) => {
          if (isDenied(fault.status)) this.#failed(DENIED, true);
          sink.diagnostic(fault);
        },
        cursor: sink.cursor,
      },
      signal,
    );
    return last === 'ended';
  }

  /** Lets go of the snapshot that is on its way. */
  #stop(): void {
    this.#loading?.abort();
    this.#loading = undefined;
  }
}
