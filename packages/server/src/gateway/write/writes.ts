import type { CardPutResult } from '@sitrep/harness';
import { checkCardPut } from '@sitrep/schema/check';
import type { Lease } from '../../store/lease-store.ts';
import { applyEntry, prepareForeign } from './apply-entry.ts';
import { writeCard } from './card-write.ts';
import { dialectByName } from '../dialects.ts';
import { GatewayError } from '../gateway-error.ts';
import { CARD_WRITTEN, idempotency, once, PUBLISHED, RESET, unlessReused } from './idempotency.ts';
import type { AnswerForm, Idempotency } from './idempotency.ts';
import { checkLease } from '../lease/lease.ts';
import type { LiveSession } from '../session/live-session.ts';
import type { ResolvedOptions } from '../options.ts';
import { prepareEntry } from './prepare.ts';
import type { OnceOptions, Published, PublishOptions, Replayed, Reset } from './publish.ts';
import { checkRunName, checkSessionName } from '../session/session-name.ts';
import { newEpoch } from '../session/sessions.ts';
import type { Stats } from '../stats.ts';
import type { Writer } from './writer.ts';

/** What became of a card write. */
export type CardWritten = CardPutResult & Replayed;

interface WritesParts {
  readonly writer: Writer;
  readonly stats: Stats;
  readonly options: Pick<ResolvedOptions, 'batchLimit' | 'clock' | 'eventLimit'>;
  /** A lease that begins now. */
  readonly begin: (session: string, claim: { readonly producer: string; readonly ttl: number }) => Lease;
}

/** The three writes to a session: events, its card, a new beginning. Each is checked, carried out once for each key, and counted. */
export class Writes {
  readonly #parts: WritesParts;

  constructor(parts: WritesParts) {
    this.#parts = parts;
  }

  /** See GatewayCore.publish. */
  async publish(session: string, entries: readonly unknown[], options: PublishOptions): Promise<Published & Replayed> {
    checkSessionName(session);
    if (options.run !== undefined) checkRunName(options.run);
    const { stats } = this.#parts;
    const { batchLimit, eventLimit, clock } = this.#parts.options;
    if (entries.length > batchLimit) {
      throw new GatewayError(
        'too_many_events',
        `A request may hold at most ${batchLimit} events; this one holds ${entries.length}. Send them in parts.`,
      );
    }
    const dialect = options.dialect === undefined ? undefined : dialectByName(options.dialect);
    const { id, run, parent } = options;
    const named = idempotency(
      options.idempotencyKey,
      'events',
      [options.dialect, id, run, parent],
      options.text ?? JSON.stringify(entries),
    );
    const context = { session, run, at: clock.now(), id, parent, dialect, eventLimit };
    // Our own events are checked before they queue; what a foreign frame means may depend on what stands when its turn comes.
    const own = dialect ? undefined : entries.map((entry) => prepareEntry(entry, context));
    const claim = options.lease && checkLease(options.lease);
    const { answer, replayed } = await this.#write(session, entries.length, named, PUBLISHED, (live) => {
      const lease = claim && this.#parts.begin(session, claim);
      const results = entries.map((entry, n) => applyEntry(live, own?.[n] ?? prepareForeign(live, entry, context), lease));
      return { results, cursor: `${live.epoch}:${live.seq}` };
    });
    if (replayed) return { ...answer, replayed };
    for (const { outcome } of answer.results) stats.outcomes[outcome] += 1;
    return answer;
  }

  /** See GatewayCore.putCard. */
  async putCard(session: string, body: unknown, run: string | undefined, options: OnceOptions): Promise<CardWritten> {
    checkSessionName(session);
    if (run !== undefined) checkRunName(run);
    const checked = checkCardPut(body);
    const { cards } = this.#parts.stats;
    if (!checked.ok) {
      cards.invalid += 1;
      return { ok: false, code: 'invalid', issues: checked.issues };
    }
    const named = idempotency(options.idempotencyKey, 'card', [run], JSON.stringify(checked.value));
    const { answer, replayed } = await this.#write(session, 1, named, CARD_WRITTEN, (live) =>
      writeCard(live, checked.value, run, this.#parts.options.clock.now()),
    );
    if (replayed) return { ...answer, replayed };
    if (answer.ok) cards.written += 1;
    else if (answer.code === 'conflict') cards.conflict += 1;
    return answer;
  }

  /** See GatewayCore.reset. */
  async reset(session: string, options: OnceOptions): Promise<Reset & Replayed> {
    checkSessionName(session);
    const named = idempotency(options.idempotencyKey, 'reset', [], '');
    const { answer, replayed } = await this.#write(session, 1, named, RESET, (live) => {
      live.reset(newEpoch(), this.#parts.options.clock.now());
      return { cursor: `${live.epoch}:${live.seq}`, revision: live.index.card.revision };
    });
    return replayed ? { ...answer, replayed } : answer;
  }

  /** Writes, once for each key. */
  async #write<T>(
    session: string,
    size: number,
    named: Idempotency | undefined,
    form: AnswerForm<T>,
    apply: (live: LiveSession) => T,
  ): Promise<{ readonly answer: T; readonly replayed: boolean }> {
    const { writer, options } = this.#parts;
    if (!named) return { answer: await writer.write(session, size, apply), replayed: false };
    const result = await writer.write(
      session,
      size,
      (live, stored) => once(live, named, stored, options.clock.now(), form, () => apply(live)),
      named.key,
    );
    return unlessReused(result);
  }
}
