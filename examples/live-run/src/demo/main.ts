import { DEFAULT_PORT } from '@sitrep/server';
import { startDemo } from './demo.ts';

/** What an example application shows while it is worked on: one agent in the session `demo`, at the port the gateway has by default. */
const { url, start } = await startDemo({ port: Number(process.env['PORT'] ?? DEFAULT_PORT) });
start('demo');
console.log(`An agent is at work: ${url}/v1/sessions/demo`);
