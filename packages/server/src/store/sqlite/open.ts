import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { reservePath } from './room.ts';
import { checkOwner, migrate } from './schema.ts';

const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_CANTOPEN = 14;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Bytes of a file that is read through before it is used. */
const CHECKED = 67_108_864;

/** How a database file is opened. */
export interface OpenOptions {
  /** Milliseconds to wait for another process to let go of the file. */
  readonly busyTimeout: number;
  /** Whether a damaged file is moved aside for a fresh one, and one that is missing made. */
  readonly repair: boolean;
  /** Told in one line what was found wrong and what was done about it. */
  readonly log: (line: string) => void;
}

/**
 * Opens (or creates) the file, proves that it is sound and brings its schema up to date. A damaged file is moved aside
 * and a fresh one begun. A file that is sound but copied from elsewhere gets new epochs, because what was published
 * after the copy was taken is not in it.
 */
export function openDatabase(path: string, options: OpenOptions): Opened {
  if (!options.repair && !existsSync(path)) throw new Error(`There is no store file ${path}.`);
  if (path !== ':memory:') makeFolder(dirname(resolve(path)));
  try {
    return { db: prepareWithRoom(path, options), quarantined: false };
  } catch (error) {
    const code = resultCode(error);
    if (code === SQLITE_BUSY) {
      throw new Error(`${path} is in use by another process. One gateway owns a store file: stop the other one or name another file.`, {
        cause: error,
      });
    }
    if (code === undefined) throw error;
    if (code === SQLITE_CANTOPEN)
      throw new Error(`${path} cannot be opened: it must be a file this process may write to.`, { cause: error });
    if (code === SQLITE_FULL)
      throw new Error(`There is no room on the disk of ${path}, not even to open it. Free some and start again.`, { cause: error });
    if (code === SQLITE_READONLY)
      throw new Error(`${path} is read-only. The store must be a file this process may write to.`, { cause: error });
    if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB)
      throw new Error(`The store file ${path} cannot be used: ${(error as Error).message}.`, { cause: error });
    if (!options.repair) {
      throw new Error(`The store file ${path} is damaged (${(error as Error).message.replaceAll('\n', ' ')}).`, { cause: error });
    }
    const aside = quarantine(path);
    options.log(
      `The store file ${path} is damaged (${(error as Error).message.replaceAll('\n', ' ')}). It was moved to ${aside}; a fresh store begins.`,
    );
    return { db: prepare(path, options), quarantined: true };
  }
}

/** A database that is open, and whether a damaged one was moved aside for it. */
export interface Opened {
  readonly db: DatabaseSync;
  readonly quarantined: boolean;
}

/** On a full disk what is kept aside makes room for the little that opening writes. */
function prepareWithRoom(path: string, options: OpenOptions): DatabaseSync {
  try {
    return prepare(path, options);
  } catch (error) {
    if (resultCode(error) !== SQLITE_FULL || !existsSync(reservePath(path))) throw error;
    rmSync(reservePath(path), { force: true });
    return prepare(path, options);
  }
}

/** The primary SQLite result code of an error of `node:sqlite`, or undefined for any other error. */
export function resultCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : undefined;
}

/**
 * Makes a folder and those above it. Not `mkdir` with `recursive`: where the system says "no such folder" of a folder in
 * one that exists, as network mounts and /proc do, Node tries for ever.
 */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(folder);
    if (code !== 'ENOENT' || above === folder || statSync(above, { throwIfNoEntry: false }) !== undefined) {
      if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
      throw new Error(`The folder ${folder} cannot be made: ${(error as Error).message}`, { cause: error });
    }
    makeFolder(above);
    makeFolder(folder);
  }
}

function prepare(path: string, { busyTimeout, log }: OpenOptions): DatabaseSync {
  // Not imported: an older Node would refuse the module with words that do not say what to do.
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) {
    throw new Error(
      'A store file needs Node 22.13 or newer. Use a newer Node, or --store memory (in a program createMemoryStore of @sitrep/server/memory).',
    );
  }
  if (path !== ':memory:') makePrivate(path);
  const db = new sqlite.DatabaseSync(path, { enableForeignKeyConstraints: true });
  try {
    // Exclusive: the gateway keeps an index of what is in the file, so a second writer must not exist.
    db.exec(`PRAGMA busy_timeout = ${Math.trunc(busyTimeout)}`);
    // Before the first page is written: what is free can then be given back to the disk. A file that has pages is left as it is.
    if (Number(db.prepare('PRAGMA page_count').get()?.['page_count']) === 0) db.exec('PRAGMA auto_vacuum = INCREMENTAL');
    db.exec('PRAGMA temp_store = MEMORY');
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216');
    checkOwner(db, path);
    // Before anything is written: a damaged file is to be set aside as it was found.
    checkPages(db, path);
    migrate(db);
    // WAL takes the exclusive lock with the first write, and the home of the file is that write.
    rememberHome(db, path, log);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Makes a file that is not there, for this user alone; SQLite gives its log the same mode. One that is there keeps its own. */
function makePrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there, or cannot be made: opening it says so.
  }
}

/** Reads a file through, unless it is large: damage inside that is found when it is met, and reading keeps everybody waiting. */
function checkPages(db: DatabaseSync, path: string): void {
  if (path !== ':memory:' && statSync(path).size > CHECKED) return;
  const verdict = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
  if (verdict !== 'ok') throw Object.assign(new Error(String(verdict)), { errcode: SQLITE_CORRUPT });
}

/** Notes which file on which disk this is; a copy of it is another file, and its history may lack what came after. */
function rememberHome(db: DatabaseSync, path: string, log: (line: string) => void): void {
  const file = path === ':memory:' ? undefined : statSync(path);
  const home = file ? `${file.dev}:${file.ino}` : 'memory';
  const known = db.prepare("SELECT value FROM meta WHERE name = 'home'").get()?.['value'];
  db.exec('BEGIN IMMEDIATE');
  if (known !== undefined && known !== home) {
    db.prepare('UPDATE sessions SET epoch = ? || id').run(`${randomUUID().slice(0, 18)}-`);
    log(`The store file ${path} is a copy: every session begins a new epoch, so that readers take a fresh snapshot.`);
  }
  db.prepare("INSERT INTO meta VALUES ('home', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value").run(home);
  db.exec('COMMIT');
}

/** Moves a damaged file and its log aside, so that nothing is lost and nothing is read from it. */
export function quarantine(path: string): string {
  const aside = `${path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  renameSync(path, aside);
  for (const suffix of ['-wal', '-shm']) {
    try {
      renameSync(path + suffix, aside + suffix);
    } catch {
      rmSync(path + suffix, { force: true });
    }
  }
  return aside;
}
