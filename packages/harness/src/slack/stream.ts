import type { SlackChunk } from '@sitrep/schema/dialect/slack';
import type { Clock } from '../clock.ts';
import type { SlackClient, SlackPlace } from './api.ts';

/** How one stream is to be driven. */
export interface SlackStreamOptions {
  readonly client: SlackClient;
  readonly place: SlackPlace;
  readonly mode: 'plan' | 'timeline';
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Told of each request that failed, and whether the stream was given up for it. */
  readonly onFailure: (request: string, givenUp: boolean) => void;
}

/** Chunks of one request. */
const MAX_CHUNKS = 50;
/** Characters of one text. */
const MAX_TEXT = 256;
/** Failed requests in a row after which a stream is given up. */
const MAX_FAILURES = 3;

/**
 * One message that is streamed: started with the first chunks, appended to at most once per interval, stopped once. One
 * request at a time, in order; chunks that wait are merged, so that a flood of updates is one. Waiting for a limit of
 * Slack is the client's own affair: until it answers, nothing more is sent.
 */
export class SlackStream {
  readonly #options: SlackStreamOptions;
  readonly #waiting = new Map<string, SlackChunk>();
  #ts: string | undefined;
  #busy: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #ending = false;
  #over = false;

  constructor(options: SlackStreamOptions) {
    this.#options = options;
  }

  /** True once it has been stopped or given up, or is about to be. */
  get ended(): boolean {
    return this.#over || this.#ending;
  }

  push(chunk: SlackChunk): void {
    if (this.ended) return;
    const key = chunk.type === 'plan_update' ? '' : `=${chunk.id}`;
    const held = this.#waiting.get(key);
    this.#waiting.set(key, merged(held, chunk));
    this.#schedule();
  }

  /** Sends what waits without delay. */
  async flush(): Promise<void> {
    while (!this.#over && (this.#waiting.size > 0 || this.#busy !== undefined)) {
      this.#cancelTimer?.();
      this.#cancelTimer = undefined;
      await (this.#busy ?? this.#run());
    }
  }

  /** Sends what waits and stops the stream, if it was ever started. */
  async stop(): Promise<void> {
    this.#ending = true;
    await this.flush();
    const ts = this.#ts;
    const { client, place } = this.#options;
    // A stream that was given up is stopped all the same, else it would go on in the reader's eyes.
    if (ts !== undefined) {
      this.#failures = 0;
      for (let tries = 0; tries < MAX_FAILURES; tries++)
        if (await this.#attempt('chat.stopStream', () => client.chat.stopStream({ channel: place.channel, ts }))) break;
    }
    this.#over = true;
  }

  #schedule(): void {
    if (this.#busy !== undefined || this.#cancelTimer !== undefined) return;
    const { clock } = this.#options;
    // Even the first waits a moment: what begins together is one request.
    const wait = Math.max(0, this.#nextAt - clock.now());
    this.#cancelTimer = clock.after(wait, () => {
      this.#cancelTimer = undefined;
      void this.#run();
    });
  }

  #run(): Promise<void> {
    const busy = this.#sendAndGoOn();
    this.#busy = busy;
    return busy;
  }

  async #sendAndGoOn(): Promise<void> {
    await this.#send();
    this.#busy = undefined;
    if (this.#waiting.size > 0 && !this.#over) this.#schedule();
  }

  async #send(): Promise<void> {
    const { client, place, mode, clock, intervalMs } = this.#options;
    const taken = [...this.#waiting].slice(0, MAX_CHUNKS);
    if (taken.length === 0) return;
    for (const [key] of taken) this.#waiting.delete(key);
    const chunks = taken.map(([, chunk]) => chunk);
    const ts = this.#ts;
    const isSent =
      ts === undefined
        ? await this.#attempt('chat.startStream', async () => {
            const answer = await client.chat.startStream({ ...place, task_display_mode: mode, chunks });
            if (typeof answer.ts !== 'string') throw new TypeError('no ts');
            this.#ts = answer.ts;
          })
        : await this.#attempt('chat.appendStream', () => client.chat.appendStream({ channel: place.channel, ts, chunks }));
    this.#nextAt = clock.now() + intervalMs;
    if (!isSent && !this.#over) this.#putBack(taken);
  }

  /** What was not sent waits again, under what has come since. */
  #putBack(taken: readonly (readonly [string, SlackChunk])[]): void {
    const since = [...this.#waiting];
    this.#waiting.clear();
    for (const [key, chunk] of taken) this.#waiting.set(key, chunk);
    for (const [key, chunk] of since) this.#waiting.set(key, merged(this.#waiting.get(key), chunk));
  }

  async #attempt(request: string, send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      this.#failures = 0;
      return true;
    } catch {
      this.#failures += 1;
      if (this.#failures >= MAX_FAILURES) this.#over = true;
      this.#options.onFailure(request, this.#over);
      return false;
    }
  }
}

/** Two chunks about the same as one: the later wins, but outputs follow each other, as Slack would have it, if there is room. */
function merged(held: SlackChunk | undefined, chunk: SlackChunk): SlackChunk {
  if (held?.type !== 'task_update' || chunk.type !== 'task_update') return chunk;
  const { output = '' } = held;
  const both = output + (chunk.output ?? '');
  return { ...held, ...chunk, ...(output !== '' && both.length <= MAX_TEXT ? { output: both } : undefined) };
}
