import type { CardEvent, Changes, End, Snapshot } from '@sitrep/schema/wire';
import type { Batch } from '../gateway/read/batch.ts';
import type { Opening, Subscriber } from '../gateway/read/hub.ts';

/** A reader of one session that looks at its card alone. */
export class CardWatch implements Subscriber {
  readonly remote = true;
  readonly #changed: (revision: number | null) => void;
  readonly #closed: (end: End | undefined, retryMs: number | undefined) => void;
  /** The revision that is shown, null without a card; undefined before the beginning. */
  #shown: number | null | undefined;

  constructor(changed: (revision: number | null) => void, closed: (end: End | undefined, retryMs: number | undefined) => void) {
    this.#changed = changed;
    this.#closed = closed;
  }

  open(opening: Opening): void {
    if (!opening.resumed) this.#show(revisionOf(opening.snapshot), this.#shown !== undefined);
  }

  batch({ events }: Batch): void {
    const last = events.findLast(({ type }) => type === 'card');
    if (last) this.#show(revisionOf(JSON.parse(last.data) as CardEvent), true);
  }

  merged(changes: Changes): void {
    if (changes.revision !== undefined) this.#show(changes.card == null ? null : changes.revision, true);
  }

  heartbeat(): void {}

  close(end: End | undefined, retryMs?: number): void {
    this.#closed(end, retryMs);
  }

  #show(revision: number | null, tell: boolean): void {
    if (tell && revision !== this.#shown) this.#changed(revision);
    this.#shown = revision;
  }
}

function revisionOf({ card, revision }: Pick<Snapshot, 'card' | 'revision'> | CardEvent): number | null {
  return card === null ? null : revision;
}
