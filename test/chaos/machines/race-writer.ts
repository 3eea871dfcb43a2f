import { createGateway } from '@sitrep/server';
import { createRedisStore } from '@sitrep/server/redis';

/** Writers of one process at once. */
const WRITERS = 4;

/** A process that races for a card: `node race-writer.ts <redis url> <session> <writes>`. Prints what it won and lost, as JSON. */
const [url = '', session = '', count = ''] = process.argv.slice(2);
const gateway = createGateway({ store: await createRedisStore(url, { log: () => undefined }) });
let left = Number(count);
let conflicts = 0;
const won: number[] = [];
const faults: string[] = [];

async function race(name: string): Promise<void> {
  let revision = 0;
  while (left > 0) {
    left -= 1;
    const answer = await gateway.putCard(session, { markdown: `${name} ${left}`, expectedRevision: revision });
    if (answer.ok) {
      if (answer.revision !== revision + 1) faults.push(`won ${answer.revision} after ${revision}`);
      won.push(answer.revision);
      revision = answer.revision;
    } else if (answer.code === 'conflict') {
      // The loser is told where the card stands, which is not where it thought.
      if (answer.revision === revision) faults.push(`lost at ${revision}, which it knew`);
      conflicts += 1;
      revision = answer.revision;
    } else {
      faults.push(answer.code);
    }
  }
}

await Promise.all(Array.from({ length: WRITERS }, (_, n) => race(`${process.pid}.${n}`)));
await gateway.close();
process.stdout.write(JSON.stringify({ won, conflicts, faults }));
