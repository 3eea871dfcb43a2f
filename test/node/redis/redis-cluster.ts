import { freePort } from '../../support/free-port.ts';
import { RedisServer } from './redis-server.ts';

/** Slots of a cluster. */
const SLOTS = 16_384;
/** Milliseconds a cluster may take to come together. */
const DEADLINE_MS = 60_000;

/** Three servers, each with a third of the slots and nobody to take over from it. */
export class RedisCluster implements AsyncDisposable {
  readonly servers: readonly RedisServer[];

  private constructor(servers: readonly RedisServer[]) {
    this.servers = servers;
  }

  static async start(): Promise<RedisCluster> {
    const servers: RedisServer[] = [];
    const buses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const bus = await freePort();
      buses.push(bus);
      // A part that is away must not keep the others from serving.
      const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(bus), '--cluster-node-timeout', '2000'];
      servers.push(await RedisServer.start(...settings, '--cluster-require-full-coverage', 'no'));
    }
    const share = Math.ceil(SLOTS / servers.length);
    for (const [n, server] of servers.entries()) {
      await server.ask('CLUSTER', 'ADDSLOTSRANGE', String(n * share), String(Math.min(SLOTS, (n + 1) * share) - 1));
      await servers[0]?.ask('CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(buses[n]));
    }
    const deadline = performance.now() + DEADLINE_MS;
    for (const server of servers) {
      while (!(await whole(server))) {
        if (performance.now() > deadline) throw new Error('The cluster did not come together.');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    return new RedisCluster(servers);
  }

  get url(): string {
    return `redis+cluster://${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server.remove();
  }
}

async function whole(server: RedisServer): Promise<boolean> {
  const info = await server.ask('CLUSTER', 'INFO').catch(() => '');
  return /cluster_state:ok/.test(info) && /cluster_known_nodes:3/.test(info) && /cluster_slots_ok:16384/.test(info);
}
