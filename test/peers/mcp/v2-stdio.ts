/** The v2 server as a program of its own; it serves whichever revision its client opens with. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTools } from './tools.ts';
import { v2Factory } from './v2-server.ts';

serveStdio(v2Factory(createTools()));
