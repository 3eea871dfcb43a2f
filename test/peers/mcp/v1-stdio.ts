/** The v1 server as a program of its own. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTools } from './tools.ts';
import { createV1Server } from './v1-server.ts';

await createV1Server(createTools()).connect(new StdioServerTransport());
