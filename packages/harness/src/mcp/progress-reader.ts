import { mcpProgress } from '@sitrep/schema/dialect/mcp';
import type { OperationEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { Json } from '../json.ts';
import type { CallBook } from './call-book.ts';
import { asToken, isNotification, objectAt, textAt } from './messages.ts';
import type { Token } from './messages.ts';
import type { McpTapOptions } from './types.ts';

/** Reads progress notifications and hands each to the call its token belongs to. */
export class ProgressReader {
  readonly counts = { progress: 0, unknownToken: 0, retiredToken: 0, invalid: 0, nonRising: 0 };
  readonly #book: CallBook;
  readonly #prefix: string;
  readonly #options: McpTapOptions;

  /** `prefix` begins every token the tap issued. */
  constructor(book: CallBook, prefix: string, options: McpTapOptions) {
    this.#book = book;
    this.#prefix = prefix;
    this.#options = options;
  }

  /** Takes one notification. */
  take(message: Json, params: Json): void {
    const token = asToken(params['progressToken']);
    const open = token === undefined ? undefined : this.#book.byToken(token);
    if (token === undefined) return this.#invalid('A progress notification without a readable token was dropped.');
    if (open === undefined) return this.#strayed(token);
    // Whom it belongs to is known here; an id nobody can guess tells the call from what the server reports inside it.
    const id = `${this.#prefix}call`;
    const decoded = mcpProgress.decode(message, { session: 'call', id, at: (this.#options.clock ?? systemClock).now() });
    if (!decoded.ok) return this.#invalid(`A progress notification was dropped: ${decoded.issues[0]?.message ?? 'it could not be read.'}`);
    const event = decoded.events.find((candidate): candidate is OperationEvent => candidate.type === 'operation');
    const amount = params['progress'];
    if (event === undefined || typeof amount !== 'number') return this.#invalid('A progress notification said nothing about progress.');

    this.counts.progress += 1;
    const { call, highest } = open;
    if (!open.rises(amount)) {
      this.counts.nonRising += 1;
      this.#tell('non_rising', `${call.name} reported ${amount} after ${highest}; it is shown as it is.`);
    }
    if (!open.take(event, event.id !== id))
      this.#tell('dropped', `${call.name} reports more operations inside one call than are followed; one was dropped.`);
    const known = typeof params['total'] === 'number' ? params['total'] : undefined;
    try {
      this.#options.onProgress?.(call, { progress: amount, total: known, message: textAt(params, 'message') });
    } catch {
      this.#tell('tap_failed', 'The host failed to take a progress notification; the message passed on all the same.');
    }
  }

  #strayed(token: Token): void {
    const retired = this.#book.isRetired(token);
    this.counts[retired ? 'retiredToken' : 'unknownToken'] += 1;
    if (retired) this.#tell('retired_token', 'Progress for a call that has ended was dropped.');
    else this.#tell('unknown_token', 'Progress for a token nobody issued was dropped.');
  }

  /** True for progress under a token the tap issued, which the client never asked for. */
  isOwn(message: unknown): boolean {
    if (!isNotification(message) || message.method !== 'notifications/progress') return false;
    const token = objectAt(message, 'params')['progressToken'];
    return typeof token === 'string' && token.startsWith(this.#prefix);
  }

  #invalid(message: string): void {
    this.counts.invalid += 1;
    this.#tell('invalid', message);
  }

  #tell(code: string, message: string): void {
    tell(this.#options.onDiagnostic, { code, message });
  }
}
