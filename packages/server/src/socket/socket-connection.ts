import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { SHUTDOWN } from '../gateway/closing.ts';
import { EXPIRED } from '../gateway/read/paced-reader.ts';
import type { Farewell, ReaderConnection, SlowCounts } from '../gateway/read/paced-reader.ts';
import { CLOSE, closeReason } from './close-codes.ts';
import { endMessage } from './messages.ts';
import type { Messages } from './messages.ts';

/** Milliseconds a connection may take to read its last bytes and say goodbye. */
const LINGER_MS = 1_000;
const TEXT = { binary: false, compress: false, fin: true };

export interface SocketConnectionOptions {
  /** Milliseconds a ping may go without an answer before the connection counts as dead. */
  readonly slowMs: number;
  readonly counts: SlowCounts;
}

/** A socket that is read. Every message is shared with the other readers; nothing is masked or compressed on the way out. */
export class SocketConnection implements ReaderConnection<Messages> {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #options: SocketConnectionOptions;
  /** Since when a ping waits for its answer, by the heartbeats. */
  #pingedAt: number | undefined;

  constructor(ws: WebSocket, socket: Socket, options: SocketConnectionOptions) {
    this.#ws = ws;
    this.#socket = socket;
    this.#options = options;
    ws.on('pong', () => (this.#pingedAt = undefined));
    ws.on('message', () => ws.close(CLOSE.policy, 'This socket only reads: write by HTTP.'));
  }

  get busy(): boolean {
    return this.#socket.writableNeedDrain;
  }

  get closed(): boolean {
    return this.#ws.readyState !== this.#ws.OPEN;
  }

  begin(drained: () => void): void {
    this.#socket.on('drain', drained);
  }

  send({ list, at }: Messages): void {
    if (this.closed) return;
    if (at !== undefined && !this.#isAlive(at)) return;
    if (list.length === 1) return this.#ws.send(list[0]!, TEXT);
    this.together(() => {
      for (const message of list) this.#ws.send(message, TEXT);
    });
  }

  together(send: () => void): void {
    this.#socket.cork();
    send();
    this.#socket.uncork();
  }

  finish({ end, retryMs }: Farewell): void {
    if (end) this.send(endMessage(end));
    if (end?.reason === EXPIRED.reason) this.#ws.close(4_401, EXPIRED.reason);
    else if (end && end.reason !== SHUTDOWN) this.#ws.close(CLOSE.normal, closeReason('end'));
    else this.#ws.close(CLOSE.goingAway, closeReason('going_away', retryMs));
    setTimeout(() => this.#ws.terminate(), LINGER_MS).unref();
  }

  cut(): void {
    this.#ws.terminate();
  }

  /** With each heartbeat it is asked for a sign of life: a connection that is only half there would take bytes for minutes. */
  #isAlive(at: number): boolean {
    if (this.#pingedAt !== undefined && at - this.#pingedAt >= this.#options.slowMs) {
      this.#options.counts.cut += 1;
      this.cut();
      return false;
    }
    if (this.#pingedAt === undefined) {
      this.#pingedAt = at;
      this.#ws.ping();
    }
    return true;
  }
}
