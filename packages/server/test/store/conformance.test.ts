import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { createMemoryStore } from '@sitrep/server/memory';
import { createRedisStore } from '@sitrep/server/redis';
import { createSqliteStore } from '@sitrep/server/sqlite';
import { RedisServer } from '../../../../test/node/redis/redis-server.ts';
import { sessionConformance } from './conformance.ts';
import type { OpenStore } from './conformance.ts';
import { leaseConformance } from './lease-conformance.ts';
import { recordConformance } from './record-conformance.ts';

let directory: string;
let redis: RedisServer;
let count = 0;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sitrep-conformance-'));
  redis = await RedisServer.start();
});
after(async () => {
  await redis.remove();
  rmSync(directory, { recursive: true, force: true });
});

const kinds: Record<string, OpenStore> = {
  memory: (limits) => createMemoryStore(limits),
  sqlite: (limits) => createSqliteStore(join(directory, `${count++}.db`), { ...limits, log: () => undefined }),
  redis: (limits) => createRedisStore(redis.url, { ...limits, prefix: `test-${count++}:`, log: () => undefined }),
};

for (const [name, open] of Object.entries(kinds)) {
  sessionConformance(name, open);
  leaseConformance(name, open);
  recordConformance(name, open);
}

// Parts of an index are bounded each by its share: what is let go beyond the bound is exact in one part only.
sessionConformance('redis in parts', (limits) =>
  createRedisStore(redis.url, { ...limits, prefix: `test-${count++}:`, indexShards: limits?.sessions ? 1 : 7, log: () => undefined }),
);
