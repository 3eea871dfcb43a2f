/** A gateway with push, to be killed: `node child.ts <store file> <push service> <keys as JSON> <epoch ms of the first life>`. */
import { createGateway, readVapidKeys } from '@sitrep/server';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { CA } from './service.ts';

const [file = '', service = '', keys = '', began = ''] = process.argv.slice(2);
/** So much faster goes its time, through all of its lives. */
const SPEED = 20;
const clock = {
  now: () => Number(began) + (Date.now() - Number(began)) * SPEED,
  every(ms: number, task: () => void): () => void {
    const timer = setInterval(task, ms / SPEED);
    return () => clearInterval(timer);
  },
};
const gateway = createGateway({
  store: createSqliteStore(file, { log: () => undefined }),
  clock,
  push: { keys: readVapidKeys(keys), privateHosts: [new URL(service).host], ca: CA },
});
const { url } = await gateway.listen({ port: 0 });
process.stdout.write(`${url}\n`);
