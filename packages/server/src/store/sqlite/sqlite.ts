import { resolveLimits } from '../limits.ts';
import { openDatabase, quarantine, resultCode } from './open.ts';
import { Room } from './room.ts';
import { openTables } from './tables.ts';
import type { SqliteTables } from './tables.ts';
import { StoreFault } from '../store-fault.ts';
import type { LeaseStore, RecordStore, SessionChange, Store, StoreLimits } from '../store.ts';

const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Options of the SQLite store. */
export interface SqliteStoreOptions extends StoreLimits {
  /** Milliseconds to wait for another process to let go of the file. Default 2,000. */
  readonly busyTimeout?: number | undefined;
  /** False leaves a damaged file as it is and throws, and makes no file where there is none. Default true. */
  readonly repair?: boolean | undefined;
  /** Told in one line what was found wrong with the file and what was done. Default: standard error. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Keeps sessions in one SQLite file, written ahead and synchronised to disk at every commit: what was acknowledged
 * survives the end of the process and of the power. One process owns the file. A damaged file is moved aside, at opening or
 * when it is met, and a fresh one begun. On a full disk it refuses what needs room.
 *
 * @throws when the file cannot be written to, or belongs to another program, to a newer version, or to another process.
 */
export function createSqliteStore(path: string, options: SqliteStoreOptions = {}): Store {
  const keep = resolveLimits(options);
  const log = options.log ?? ((line) => process.stderr.write(`sitrep: ${line}\n`));
  const lost = new Set<() => void>();
  let quarantined = 0;
  const open = (): SqliteTables => {
    const opened = openDatabase(path, { busyTimeout: options.busyTimeout ?? 2_000, repair: options.repair ?? true, log });
    if (opened.quarantined) quarantined += 1;
    return openTables(opened.db, keep);
  };
  let tables: SqliteTables | undefined = open();
  const room = path === ':memory:' ? undefined : new Room(path, log);

  /** Runs something on the tables; what goes wrong with the file is dealt with before it is told. */
  async function on<T>(run: (tables: SqliteTables) => Promise<T>): Promise<T> {
    try {
      return await run((tables ??= open()));
    } catch (error) {
      throw judge(error as Error);
    }
  }

  function judge(error: Error): Error {
    switch (resultCode(error)) {
      case SQLITE_CORRUPT:
      case SQLITE_NOTADB:
        return beginAnew(error);
      case SQLITE_FULL:
        room?.exhausted();
        tidy();
        return new StoreFault('full', 'There is no room on the disk.', { cause: error });
      case SQLITE_READONLY:
        return new StoreFault('read_only', 'The file may not be written to any more.', { cause: error });
      default:
        return error;
    }
  }

  /** Moves a file aside that turned out to be damaged, and begins a fresh one in its place. */
  function beginAnew(cause: Error): Error {
    if (options.repair === false) return new Error(`The store file ${path} is damaged (${cause.message}).`, { cause });
    const damaged = tables;
    tables = undefined;
    try {
      damaged?.db.close();
    } catch {
      // What is wrong with it is known.
    }
    const aside = quarantine(path);
    quarantined += 1;
    log(`The store file ${path} is damaged (${cause.message.replaceAll('\n', ' ')}). It was moved to ${aside}; a fresh store begins.`);
    try {
      tables = open();
    } catch (error) {
      log(`A fresh store could not be begun at ${path}: ${(error as Error).message}`);
    }
    for (const listener of lost) listener();
    return new StoreFault('lost', 'The file is damaged; it was moved aside and a fresh one begins.', { cause });
  }

  /** Gives back what is free inside the file and in its log. */
  function tidy(): void {
    try {
      tables?.db.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // With no room at all not even that can be done.
    }
  }

  /** Bytes inside the file that can be written to without any on the disk. */
  function freeInside(): number {
    const ask = (name: string): number => Number(tables?.db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
    return ask('freelist_count') * ask('page_size');
  }

  async function commit(changes: readonly SessionChange[]): ReturnType<Store['commit']> {
    const tight = room !== undefined && !room.regain();
    if (tight && !changes.every(freesRoom) && freeInside() < room.bytes) throw new StoreFault('full', 'There is no room on the disk.');
    const committed = await on((store) => store.commit(changes));
    if (tight) tidy();
    return committed;
  }

  const records: RecordStore = {
    get: (kind, key) => on((store) => store.records.get(kind, key)),
    list: (kind, limits) => on((store) => store.records.list(kind, limits)),
    write: (writes) => on((store) => store.records.write(writes)),
  };
  const leases: LeaseStore = {
    renew: (renewed) => on((store) => store.leases.renew(renewed)),
    expired: (which) => on((store) => store.leases.expired(which)),
    of: (session) => on((store) => store.leases.of(session)),
    drop: (lease) => on((store) => store.leases.drop(lease)),
  };

  return {
    kind: 'file',
    records,
    leases,
    load: (session) => on((store) => store.load(session)),
    commit,
    eventsAfter: (session, seq) => on((store) => store.eventsAfter(session, seq)),
    receipt: (session, key) => on((store) => store.receipt(session, key)),
    list: (which) => on((store) => store.list(which)),
    onLost: (listener) => void lost.add(listener),
    health: () => ({ state: tables === undefined ? 'failed' : room?.full ? 'full' : 'ok', quarantined }),
    async close() {
      await tables?.close();
      tables = undefined;
    },
  };
}

/** True for a change that leaves less to be kept than there was. */
function freesRoom({ reset, operations, removed, card }: SessionChange): boolean {
  return reset === true || (operations.length === 0 && (removed.length > 0 || card?.card === null));
}
