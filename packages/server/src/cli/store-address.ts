import { createMemoryStore } from '../store/memory/memory.ts';
import type { SqliteStoreOptions } from '../store/sqlite/sqlite.ts';
import { isRedisAddress, readAddress } from '../store/redis/address.ts';
import type { RedisStoreOptions } from '../store/redis/redis.ts';
import type { Store } from '../store/store.ts';

/** Where sessions are kept: from the environment too, since whoever lists processes must not see a password. */
export function storeAddress(flag: string | undefined): string {
  return flag ?? (process.env['SITREP_STORE'] || '.sitrep/sitrep.db');
}

/** An address as it may be shown: without a password. */
export function shownAddress(address: string): string {
  return isRedisAddress(address) ? readAddress(address).shown : address;
}

/** Opens a store by its address: a file, `memory` or that of a Redis. */
export async function openStore(address: string, options: SqliteStoreOptions & RedisStoreOptions): Promise<Store> {
  if (address === 'memory') return createMemoryStore(options);
  if (isRedisAddress(address)) {
    const { createRedisStore } = await import('../store/redis/redis.ts');
    return createRedisStore(address, options);
  }
  const { createSqliteStore } = await import('../store/sqlite/sqlite.ts');
  return createSqliteStore(address, options);
}
