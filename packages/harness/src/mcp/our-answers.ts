import { asToken } from './messages.ts';
import type { Token } from './messages.ts';
import { oldestBeyond } from './oldest.ts';
import type { OpenCall } from './open-call.ts';

/** Requests of the server kept in mind at most. */
const KEPT = 1000;

/**
 * What this side owes the server: answers to its requests (a question for a person, a completion, roots). A server that waits
 * for one is not silent. Which call it asks for is not said on the wire, so the time of every open call stands still.
 */
export class OurAnswers {
  readonly #owed = new Set<Token>();

  /** The server asks. */
  owed(requestId: Token, open: readonly OpenCall[]): void {
    if (this.#owed.has(requestId)) return;
    this.#owed.add(requestId);
    for (const { limit } of open) limit?.hold();
    const oldest = oldestBeyond(KEPT, this.#owed);
    if (oldest !== undefined) this.given(oldest, open);
  }

  /** It has been answered, or asks no longer. */
  given(requestId: unknown, open: readonly OpenCall[]): void {
    const id = asToken(requestId);
    if (id === undefined || !this.#owed.delete(id)) return;
    for (const { limit } of open) limit?.release();
  }

  /** A call that begins while the server waits. */
  begin({ limit }: OpenCall): void {
    for (let owed = this.#owed.size; owed > 0; owed -= 1) limit?.hold();
  }

  forget(): void {
    this.#owed.clear();
  }
}
