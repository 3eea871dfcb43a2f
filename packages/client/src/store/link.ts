import { freshness } from '@sitrep/schema/select';
import type { Connection, ConnectionState, Link } from '@sitrep/schema/select';
import type { Clock } from '../clock.ts';

/** Time between two looks at a connection, milliseconds. */
const LOOK = 5_000;
/** A look that comes so much after the last one shows that the machine slept or the process stood still, milliseconds. */
const SLEPT = 15_000;

/** Keeps what is known of a connection and says how fresh that makes what is shown. */
export class LinkWatch {
  /** How fresh what is shown is. Frozen, and the same until it changes. */
  connection: Connection;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #returned: () => void;
  readonly #link: { -readonly [K in keyof Link]: Link[K] };
  readonly #closing = new AbortController();
  #looking: unknown;

  /**
   * `changed` is called when the freshness is another one; `returned` when this process runs again after it stood still: what
   * is shown may be old without anybody having noticed.
   */
  constructor(clock: Clock, quietAfter: number, changed: () => void, returned: () => void) {
    this.#clock = clock;
    this.#changed = changed;
    this.#returned = returned;
    this.#link = { state: 'connecting', since: clock.now(), quietAfter };
    this.connection = Object.freeze(freshness(this.#link, 0));
    // A frozen page, and one that was kept for the back button.
    const { signal } = this.#closing;
    globalThis.document?.addEventListener('resume', returned, { signal });
    globalThis.window?.addEventListener('pageshow', ({ persisted }) => persisted && returned(), { signal });
  }

  /** The source said how it stands. `loaded`: something is shown that may be old by now. */
  said(state: ConnectionState, loaded: boolean): void {
    const link = this.#link;
    const now = this.#clock.now();
    if (state !== 'live') link.brokenAt ??= loaded ? now : undefined;
    // A stream that gives signs of life has one more thing to say: that nothing is missing.
    else if (link.heardAt === undefined) link.brokenAt = undefined;
    link.state = state;
    link.since = now;
    link.resumedAt = undefined;
    this.#judge();
  }

  /** A frame came. `how` it shows where this reader is, if it does: gone on with nothing missing, or begun anew. */
  heard(how?: 'resumed' | 'anew'): void {
    const link = this.#link;
    // Nothing hangs on when this frame came, and it is asked for every one.
    if (how === undefined && link.heardAt === undefined && this.connection.state !== 'quiet') return;
    const now = this.#clock.now();
    if (how === 'resumed' || link.heardAt !== undefined) link.heardAt = now;
    const whole = how && link.state === 'live' && link.brokenAt !== undefined;
    if (whole || this.connection.state === 'quiet') {
      link.since = now;
      link.resumedAt = whole && how === 'resumed' ? now : undefined;
      link.brokenAt = undefined;
    } else if (!how) return;
    this.#judge();
    if (this.#looking === undefined && link.heardAt !== undefined) this.#look(now);
  }

  close(): void {
    this.#closing.abort();
    this.#clock.clearTimeout(this.#looking);
  }

  #judge(): void {
    const { state, since } = this.connection;
    const next = freshness(this.#link, this.#clock.now());
    if (next.state === state && next.since === since) return;
    this.connection = Object.freeze(next);
    this.#changed();
  }

  /** Looks again and again while the connection counts as live, and as soon as it has been silent for too long. */
  #look(last: number): void {
    const { heardAt = last, quietAfter } = this.#link;
    const silent = heardAt + quietAfter - last;
    this.#looking = this.#clock.setTimeout(
      () => {
        this.#looking = undefined;
        if (this.#link.state !== 'live') return;
        const now = this.#clock.now();
        this.#judge();
        this.#look(now);
        // The timers of a hidden page are late by nature.
        if (now - last >= SLEPT && globalThis.document?.visibilityState !== 'hidden') this.#returned();
      },
      silent > 0 ? Math.min(silent, LOOK) : LOOK,
    );
  }
}
