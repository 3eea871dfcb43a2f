import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGateway, DEFAULT_PORT } from '@sitrep/server';
import { createSqliteStore } from '@sitrep/server/sqlite';
import type { Store } from '@sitrep/server/store';
import { servePage } from './page/serve-page.ts';
import { Runs } from './runs.ts';

/**
 * A gateway, a page that shows one session, and a real run that reports to it. Everything it keeps is one SQLite file, so
 * that it can be killed at any moment and started again. `PORT` chooses the port, `STORE` the file (`.sitrep/live-run.db`
 * at the root of the checkout), `FOLDER` what is hashed (the checkout).
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const file = process.env['STORE'] ?? `${root}.sitrep/live-run.db`;
const folder = resolve(process.env['FOLDER'] ?? root);
const session = 'live';
const port = Number(process.env['PORT'] ?? DEFAULT_PORT);
if (!Number.isInteger(port) || port < 0 || port > 65_535) stop('PORT must be a number from 0 to 65535.');

const gateway = createGateway({ store: openStore(file) });
const runs = new Runs({ gateway, session, folder });
await servePage(gateway.app, { session, pid: process.pid, runAgain: () => runs.start() });

const { url } = await gateway
  .listen({ port })
  .catch((error: NodeJS.ErrnoException) =>
    stop(error.code === 'EADDRINUSE' ? `Port ${port} is taken. Choose another: PORT=8080 npm start` : error.message),
  );
console.log(`
  Sitrep: a live run at  ${url}/

  Anything else you post appears on the page (run these in this folder):

    npx sitrep run --url ${url} --session ${session} -- npm --version
    curl -X POST ${url}/v1/sessions/${session}/events -H 'content-type: application/json' \\
      -d '{"type":"operation","id":"hello","state":"completed","title":"Hello from curl"}'

  Ctrl-C ends it. Or kill it in the middle and start it again:  kill -9 ${process.pid}
`);

let ending = false;
const end = async () => {
  if (ending) process.exit(1);
  ending = true;
  await runs.stop();
  await gateway.close({ end: false });
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
// Whoever started this is gone, killed perhaps: staying would hold the port.
process.once('disconnect', () => void end());

if (!(await runs.begin())) console.log("  The last run was killed. What it left is on the page; 'Run it again' there begins another.\n");

/** Says in one line why the program cannot start, and ends it. */
function stop(reason: string): never {
  console.error(`\n${reason}`);
  return process.exit(1);
}

function openStore(path: string): Store {
  try {
    return createSqliteStore(path);
  } catch (error) {
    return stop((error as Error).message);
  }
}
