import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** How a relay treats what comes: passes it on, refuses it, takes it and passes nothing on, or passes on requests and no answers. */
export type Link = 'whole' | 'cut' | 'mute' | 'deaf';

/** A TCP relay to the first of several targets that can be reached, beginning with another one each time. */
export class Relay implements AsyncDisposable {
  readonly #targets: () => readonly number[];
  readonly #server = createServer({ noDelay: true }, (socket) => this.#take(socket));
  readonly #sockets = new Set<Socket>();
  readonly #servers = new WeakSet<Socket>();
  #link: Link = 'whole';
  #turn = 0;

  private constructor(targets: () => readonly number[]) {
    this.#targets = targets;
  }

  /** @param targets ports on this machine */
  static async to(targets: () => readonly number[]): Promise<Relay> {
    const relay = new Relay(targets);
    relay.#server.listen(0, '127.0.0.1');
    await once(relay.#server, 'listening');
    return relay;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** `cut` ends what is there and refuses what comes; `mute` leaves all of it open and passes nothing on, either way. */
  set link(link: Link) {
    this.#link = link;
    for (const socket of this.#sockets) {
      if (link === 'cut') socket.destroy();
      else this.#pass(socket);
    }
  }

  #pass(socket: Socket): void {
    if (this.#link === 'mute' || (this.#link === 'deaf' && this.#servers.has(socket))) socket.pause();
    else socket.resume();
  }

  /** Ends every connection; new ones are taken as before. */
  sever(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sever();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take(from: Socket): void {
    this.#keep(from);
    if (this.#link === 'cut') return void from.destroy();
    this.#turn += 1;
    this.#join(from, [...this.#targets()], 0);
  }

  #join(from: Socket, targets: readonly number[], tried: number): void {
    const port = targets[(this.#turn + tried) % targets.length];
    if (port === undefined || tried >= targets.length) return void from.destroy();
    const to = connect({ port, host: '127.0.0.1', noDelay: true });
    to.once('error', () => (from.destroyed ? undefined : this.#join(from, targets, tried + 1)));
    to.once('connect', () => {
      this.#servers.add(to);
      this.#keep(to);
      from.on('close', () => to.destroy());
      to.on('close', () => from.destroy());
      from.pipe(to);
      to.pipe(from);
      this.#pass(from);
      this.#pass(to);
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
  }
}
