import type { ProgressEvent } from '@sitrep/schema/wire';

/** Milliseconds a request may take. */
const TIMEOUT_MS = 500;

/** Somebody who writes the card again and again, each time on top of what it knows, and repeats what was not answered. */
export class CardWriter {
  readonly #url: string;
  readonly #name: string;
  /** The note of each revision that was answered for. */
  readonly #written = new Map<number, string>();
  #revision = 0;
  #conflicts = 0;
  #n = 0;
  #wrong: string[] = [];

  constructor(options: { readonly url: string; readonly session: string; readonly name: string }) {
    this.#url = `${options.url}/v1/sessions/${options.session}/card`;
    this.#name = options.name;
  }

  /** Writes one card; resolves once it is answered for, or when `signal` aborts. */
  async write(signal: AbortSignal): Promise<void> {
    const note = `${this.#name} ${(this.#n += 1)}`;
    let attempt = 0;
    while (!signal.aborted) {
      // Whoever was told of another card writes anew, under another key.
      const answer = await this.#put(note, `${this.#name}-${this.#n}-${attempt}`, signal);
      if (answer === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        continue;
      }
      this.#revision = answer.revision;
      if (!answer.ok) {
        this.#conflicts += 1;
        attempt += 1;
        continue;
      }
      const other = this.#written.get(answer.revision);
      if (other !== undefined) this.#wrong.push(`revision ${answer.revision} was answered for ${other} and for ${note}`);
      this.#written.set(answer.revision, note);
      return;
    }
  }

  /** What does not agree with the store. */
  judge(events: readonly ProgressEvent[]): {
    readonly acknowledged: number;
    readonly conflicts: number;
    readonly lost: number;
    readonly examples: readonly string[];
  } {
    const stored = new Map(events.flatMap((event) => (event.type === 'card' ? [[event.revision, event.card?.markdown] as const] : [])));
    const lost = [...this.#written].filter(([revision, note]) => stored.get(revision) !== note);
    const examples = lost
      .slice(0, 3)
      .map(([revision, note]) => `${note} was acknowledged as revision ${revision}, which is ${stored.get(revision)}`);
    return {
      acknowledged: this.#written.size,
      conflicts: this.#conflicts,
      lost: lost.length + this.#wrong.length,
      examples: [...examples, ...this.#wrong],
    };
  }

  /** Undefined when there was no answer that says what became of it. */
  async #put(note: string, key: string, signal: AbortSignal): Promise<{ readonly ok: boolean; readonly revision: number } | undefined> {
    try {
      const response = await fetch(this.#url, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ markdown: note, expectedRevision: this.#revision }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      const body = (await response.json()) as { readonly revision?: unknown; readonly error?: unknown };
      if (response.status !== 200 && response.status !== 409) return undefined;
      return typeof body.revision === 'number' ? { ok: response.status === 200, revision: body.revision } : undefined;
    } catch {
      return undefined;
    }
  }
}
