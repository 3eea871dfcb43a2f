import type { SlackChunk } from '@sitrep/schema/dialect/slack';
import type { SlackStream } from './stream.ts';

/** Tasks one message of Slack holds. */
const MAX_TASKS = 50;

/** The messages of one run: one, and as many more as its tasks need. A task stays in the message it began in. */
export class SlackMessages {
  readonly #begin: () => SlackStream;
  readonly #streams: SlackStream[] = [];
  readonly #homes = new Map<string, SlackStream>();

  /** `begin` answers a stream for the next message. */
  constructor(begin: () => SlackStream) {
    this.#begin = begin;
  }

  push(chunk: SlackChunk): void {
    if (chunk.type === 'plan_update') return this.#newest().push(chunk);
    let home = this.#homes.get(chunk.id);
    if (home === undefined) {
      home = this.#homes.size > 0 && this.#homes.size % MAX_TASKS === 0 ? this.#next() : this.#newest();
      this.#homes.set(chunk.id, home);
    }
    home.push(chunk);
  }

  async flush(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.flush()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream.stop()));
  }

  #newest(): SlackStream {
    return this.#streams.at(-1) ?? this.#next();
  }

  #next(): SlackStream {
    const stream = this.#begin();
    this.#streams.push(stream);
    return stream;
  }
}
