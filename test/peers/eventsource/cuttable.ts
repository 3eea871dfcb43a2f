import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a server that can be cut, as a network can. */
export interface Cuttable {
  readonly url: string;
  /** How many connections were made so far. */
  readonly connections: number;
  /** Cuts every connection that is open; new ones go through. */
  cut(): void;
  close(): Promise<void>;
}

/** Passes bytes on to `target` and back, until it is cut. */
export async function cuttable(target: string): Promise<Cuttable> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((near) => {
    connections += 1;
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get connections() {
      return connections;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
