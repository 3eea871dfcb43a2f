import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createRedisStore } from '@sitrep/server/redis';
import { RedisServer } from '../../node/redis/redis-server.ts';

const WRITER = fileURLToPath(new URL('race-writer.ts', import.meta.url));

/** What a race came to. `wrong` must be empty. */
export interface RaceReport {
  readonly writes: number;
  readonly wins: number;
  readonly conflicts: number;
  readonly revision: number;
  readonly seconds: number;
  readonly wrong: readonly string[];
}

/** Lets several processes, each with a gateway of its own, write to one card by comparing and setting, as fast as they can. */
export async function runRace(writes: number, processes = 4): Promise<RaceReport> {
  const redis = await RedisServer.start('--appendfsync', 'everysec');
  try {
    const began = performance.now();
    const shares = Array.from({ length: processes }, (_, n) => Math.floor((writes + n) / processes));
    const outputs = await Promise.all(
      shares.map((share) =>
        promisify(execFile)(process.execPath, [WRITER, redis.url, 'race', String(share)], { maxBuffer: 64 * 1024 * 1024 }),
      ),
    );
    const seconds = (performance.now() - began) / 1_000;
    const racers = outputs.map(({ stdout }) => JSON.parse(stdout) as { won: number[]; conflicts: number; faults: string[] });
    const store = await createRedisStore(redis.url, { log: () => undefined });
    const revision = (await store.load('race'))?.card.revision ?? 0;
    await store.close();
    const won = racers.flatMap((racer) => racer.won).sort((a, b) => a - b);
    const conflicts = racers.reduce((sum, racer) => sum + racer.conflicts, 0);
    const wrong = racers.flatMap(({ faults }) => faults);
    won.forEach((each, n) => {
      if (each !== n + 1 && wrong.length < 10) wrong.push(`revision ${n + 1} was won by none or by two`);
    });
    if (revision !== won.length) wrong.push(`the card is at revision ${revision} after ${won.length} wins`);
    if (won.length + conflicts !== writes) wrong.push(`${writes} writes, ${won.length} wins and ${conflicts} losers`);
    return { writes, wins: won.length, conflicts, revision, seconds, wrong };
  } finally {
    await redis.remove();
  }
}
