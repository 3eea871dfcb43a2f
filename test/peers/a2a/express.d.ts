/** As much of express as a server of A2A needs: the package brings no types of its own. */
declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  export type RequestHandler = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => unknown;

  interface Application {
    use(path: string, handler: RequestHandler): Application;
    use(handler: RequestHandler): Application;
    listen(port: number, host: string): Server;
  }

  export default function express(): Application;
}
