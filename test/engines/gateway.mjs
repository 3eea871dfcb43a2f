import { createGateway } from '../../packages/server/dist/index.js';
import { createMemoryStore } from '../../packages/server/dist/store/memory/memory.js';

/** A real gateway beside the test server, on its own port and therefore of another origin, found at /gateway.json. */
export function gatewayPlugin() {
  let gateway;
  let url;
  return {
    name: 'gateway',
    async serverStart({ config }) {
      const { hostname = 'localhost', port } = config;
      // A sandboxed frame has the origin `null`.
      gateway = createGateway({ store: createMemoryStore(), heartbeatMs: 1000, allowedOrigins: [`http://${hostname}:${port}`, 'null'] });
      ({ url } = await gateway.listen({ port: 0 }));
    },
    serve({ path }) {
      return path === '/gateway.json' ? { body: JSON.stringify({ url }), type: 'json' } : undefined;
    },
    serverStop: () => gateway?.close(),
  };
}
