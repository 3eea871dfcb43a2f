import type { RecordStore } from '../../store/records.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../gateway-error.ts';
import type { Log } from '../log.ts';
import { RefreshBoard } from './refresh-board.ts';
import type { Listening, Refresh, RefreshListener } from './refresh-board.ts';
import { RefreshRelay } from './refresh-relay.ts';

interface RefreshesParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Where gateways hand requests to one another; undefined for a gateway that is alone with its store. */
  readonly records: RecordStore | undefined;
  /** The card's revision of a session as it stands. */
  readonly revision: (session: string) => Promise<number>;
}

/** Requests to write a card anew: handed to producers that listen here, else to the gateway where one does. */
export class Refreshes {
  readonly #board: RefreshBoard;
  readonly #relay: RefreshRelay | undefined;

  constructor({ records, ...parts }: RefreshesParts) {
    this.#board = new RefreshBoard(parts.clock);
    this.#relay = records && new RefreshRelay({ ...parts, board: this.#board, records });
  }

  /** See RefreshBoard.ask. */
  async ask(session: string, revision: number): Promise<Refresh> {
    try {
      return this.#board.ask(session, revision);
    } catch (error) {
      if (!this.#relay || (error as GatewayError).code !== 'no_producer') throw error;
      return await this.#relay.ask(session, revision, error as GatewayError);
    }
  }

  /** See RefreshBoard.listen. */
  async listen(session: string, listener: RefreshListener, revision: number): Promise<Listening> {
    // A store that is away hears of it later.
    await this.#relay?.say(session).catch(() => undefined);
    return this.#board.listen(session, listener, revision);
  }

  /** Lets every listener go. */
  letGo(): void {
    this.#board.close();
  }

  /** Lets every listener go, and looks no more for what other gateways ask. */
  close(): void {
    this.letGo();
    this.#relay?.close();
  }
}
