import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** What handlers can reach: Node's own request and response, when the app runs on Node's server. */
export interface GatewayEnv {
  Bindings: Partial<HttpBindings> & {
    /** Only on the gateway's own server, where nobody else looks at requests: connections that are streams and nothing else. */
    streams?: Set<Socket>;
  };
  Variables: {
    corsHeaders: Readonly<Record<string, string>>;
    /** Whom the token was given to, else which token it was. */
    token?: string;
    /** True when the connection went over to another protocol. */
    upgraded?: boolean;
  };
}

/** The routes as a Hono app: a program that embeds the gateway may add its own. */
export type GatewayApp = Hono<GatewayEnv>;
