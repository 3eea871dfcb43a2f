import type { FeedState } from '../display/feed.ts';
import { sessions } from '../display/session-link.ts';
import type { SessionHost, SessionLink, ShownOperation } from '../display/session-link.ts';
import { StillLink } from '../session/still-link.ts';

/** Whose session it is. */
interface Host extends SessionHost {
  link?: SessionLink | undefined;
  requestUpdate(name?: string): void;
}

/** How long what the server drew may stand while nobody knows how the connection is, milliseconds. */
const PATIENCE = 5_000;

/** Shows a session as the server knew it, until the live one is there to go on from it. */
export class Bridge implements SessionLink {
  readonly #host: SessionHost;
  readonly #src: string | undefined;
  /** Given up with the last look at it. */
  #still: StillLink | undefined;
  #live: SessionLink | undefined;
  #over = false;

  constructor(host: Host, drawn: FeedState) {
    this.#host = host;
    this.#src = host.src;
    this.#still = new StillLink(host, drawn);
    void this.#connect(host);
  }

  get state(): FeedState | undefined {
    return this.#now.state;
  }

  find(): ShownOperation | undefined {
    return this.#now.find();
  }

  get revisions(): SessionLink['revisions'] {
    return this.#live?.revisions;
  }

  get told(): boolean | undefined {
    return this.#live?.told;
  }

  get history(): SessionLink['history'] {
    return this.#live?.history;
  }

  retry(): void {
    this.#live?.retry();
  }

  /** Once it is known how the live session stands, that is what is shown, whatever it is. */
  get #now(): SessionLink {
    const live = this.#live;
    if (!live) return this.#still!;
    if (!this.#still) return live;
    const { session, error } = live.state ?? {};
    const waits = !error && (!session?.loaded || WAITING.has(session.connection.state));
    this.#over ||= !waits || this.#host.src !== this.#src;
    if (!this.#over) return this.#still;
    this.#still = undefined;
    return live;
  }

  async #connect(host: Host): Promise<void> {
    try {
      if (!sessions.attach) await sessions.load();
      this.#live = sessions.attach!(host);
      setTimeout(() => {
        if (this.#over) return;
        this.#over = true;
        host.requestUpdate();
      }, PATIENCE);
      host.requestUpdate();
    } catch {
      // The element goes its own way then: it says what is missing, and how to try again.
      host.link = undefined;
      host.requestUpdate('src');
    }
  }
}

const WAITING: ReadonlySet<string> = new Set(['connecting', 'reconnecting']);
