import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

/** What handlers can reach: Node's own request and response, when the app runs on Node's server. */
export interface GatewayEnv {
  Bindings: Partial<HttpBindings> & {
    /** True on the gateway's own server: nobody else looks at its requests. */
    own?: boolean;
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
