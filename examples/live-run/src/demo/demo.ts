import { createGateway, type Gateway, type GatewayOptions } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { work } from './agent.ts';

/** What the example applications talk to. */
export interface Demo extends AsyncDisposable {
  readonly url: string;
  readonly gateway: Gateway;
  /** Lets an agent work in this session until the demo is closed. */
  start(session: string): void;
}

/** A real gateway that keeps nothing, and agents that report to it through the harness. */
export async function startDemo({ port = 0, ...options }: Partial<GatewayOptions> & { readonly port?: number } = {}): Promise<Demo> {
  const gateway = createGateway({ store: createMemoryStore(), log: () => undefined, ...options });
  const { url } = await gateway.listen({ port });
  const ending = new AbortController();
  const agents: Promise<void>[] = [];
  return {
    url,
    gateway,
    start(session) {
      agents.push(work({ gateway, sink: gateway.sink(), session, signal: ending.signal }));
    },
    async [Symbol.asyncDispose]() {
      ending.abort();
      await Promise.all(agents);
      await gateway.close();
    },
  };
}
