import type { RecordStore } from '../../store/records.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../gateway-error.ts';
import type { Log } from '../log.ts';
import type { Refresh, RefreshBoard, RefreshRequest } from './refresh-board.ts';

/** Kinds of records: where a producer listens, until when that is known; and what it is asked. */
const LISTENS = 'refresh-listens';
const ASKED = 'refresh-asked';
/** Milliseconds between two looks for what other gateways ask the producers that listen here. */
const LOOK_MS = 1_000;
/** Milliseconds for which it is known that a producer listens, and between two times it is said. */
const KNOWN_MS = 20_000;
const SAY_MS = 5_000;

interface RelayParts {
  readonly board: RefreshBoard;
  readonly records: RecordStore;
  readonly clock: Clock;
  readonly log: Log;
  /** The card's revision of a session as it stands. */
  readonly revision: (session: string) => Promise<number>;
}

/**
 * Hands requests from the gateway where they are made to the one where the producer listens, through the store both share. A
 * gateway that ends leaves its word behind for some seconds: what is asked meanwhile waits for the producer to come back.
 */
export class RefreshRelay {
  readonly #parts: RelayParts;
  readonly #stop: () => void;
  readonly #saidAt = new Map<string, number>();
  #isLooking = false;

  constructor(parts: RelayParts) {
    this.#parts = parts;
    this.#stop = parts.clock.every(LOOK_MS, () => void this.#look());
  }

  /** Says at once that a producer listens here. */
  async say(session: string): Promise<void> {
    const { records, clock } = this.#parts;
    const now = clock.now();
    await records.write([{ kind: LISTENS, key: session, value: String(now + KNOWN_MS) }]);
    this.#saidAt.set(session, now);
  }

  /**
   * Asks a producer that listens at another gateway.
   *
   * @throws GatewayError as RefreshBoard does
   */
  async ask(session: string, revision: number, nobody: GatewayError): Promise<Refresh> {
    const { board, records, clock } = this.#parts;
    for (;;) {
      const listens = await records.get(LISTENS, session);
      if (!(Number(listens?.value) > clock.now())) throw nobody;
      const held = await records.get(ASKED, session);
      const decided = board.decide(session, revision, held && read(held.value));
      if (!decided.isNew) return decided.answer;
      const written = await records.write([
        { kind: ASKED, key: session, value: JSON.stringify(decided.request), expected: held?.version ?? 0 },
      ]);
      if (written) return decided.answer;
    }
  }

  close(): void {
    this.#stop();
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      const { board } = this.#parts;
      const sessions = board.sessions();
      for (const session of sessions) await this.#lookAt(session);
      const listened = new Set(sessions);
      for (const session of this.#saidAt.keys()) if (!listened.has(session)) this.#saidAt.delete(session);
    } catch (error) {
      // A store that is away is told of elsewhere; the next look finds what this one missed.
      if ((error as Error).name !== 'StoreUnavailable')
        this.#parts.log(`Requests of other gateways could not be read: ${(error as Error).message}`);
    } finally {
      this.#isLooking = false;
    }
  }

  async #lookAt(session: string): Promise<void> {
    const { board, records, clock, revision } = this.#parts;
    const since = clock.now() - (this.#saidAt.get(session) ?? -Infinity);
    if (!(since >= 0 && since < SAY_MS)) await this.say(session);
    const held = await records.get(ASKED, session);
    const request = held && read(held.value);
    if (held === undefined) return;
    // What was done, or came to nothing, need not be kept.
    if (!request || !board.take(request, await revision(session)))
      await records.write([{ kind: ASKED, key: session, value: null, expected: held.version }]);
  }
}

/** A request as it was written by a gateway; undefined for anything else. */
function read(text: string): RefreshRequest | undefined {
  try {
    const value = JSON.parse(text) as RefreshRequest;
    return value.type === 'card.refresh' && typeof value.id === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
