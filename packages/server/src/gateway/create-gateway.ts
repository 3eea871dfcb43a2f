import type { Server } from 'node:http';
import { createApp } from '../http/app.ts';
import { startServer, stopServer } from '../http/listen.ts';
import type { ListenOptions } from '../http/listen.ts';
import type { GatewayApp } from '../http/types.ts';
import { GatewayCore } from './gateway.ts';
import type { CloseOptions } from './closing.ts';
import type { GatewayOptions } from './options.ts';

/** A server that is listening. */
export interface Listening {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** Ends the streams over HTTP and stops listening; what is under way may finish for two seconds. The gateway stays open. */
  close(options?: CloseOptions): Promise<void>;
}

/** A gateway: in process, as a Hono app, and as a server. Made by `createGateway`. */
export class Gateway extends GatewayCore {
  /** The routes. A program may add its own before it listens; the Host check covers them too. */
  readonly app: GatewayApp = createApp(this);
  readonly #servers = new Set<Server>();

  /** Serves the app. Rejects when the address cannot be had, and without keys for every host but loopback. */
  async listen(options: ListenOptions = {}): Promise<Listening> {
    const { url, server } = await startServer(this.app, options, this.options);
    this.#servers.add(server);
    return {
      url,
      close: async (closing) => {
        this.#servers.delete(server);
        const stopped = stopServer(server);
        this.endStreams(closing);
        await stopped;
      },
    };
  }

  override async close(options: CloseOptions = {}): Promise<void> {
    await Promise.all([super.close(options), ...[...this.#servers].map(stopServer)]);
  }
}

/** Makes a gateway over a store. It listens nowhere until told to. Throws a RangeError for a limit that is none, a TypeError without a store or for an unknown option. */
export function createGateway(options: GatewayOptions): Gateway {
  return new Gateway(options);
}
