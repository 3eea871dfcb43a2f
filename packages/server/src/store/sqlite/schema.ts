import type { DatabaseSync } from 'node:sqlite';

/** Marks a database file as ours ("SITR"), so that another program's file is never written to. */
export const APPLICATION_ID = 0x53495452;

/**
 * The tables, one step per schema version. Step n brings a file from version n to n + 1; a released step is never
 * changed, a new one is added instead.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL UNIQUE,
    epoch TEXT NOT NULL,
    seq INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    written INTEGER NOT NULL,
    activity TEXT NOT NULL,
    open INTEGER NOT NULL,
    title TEXT,
    usage TEXT
  );
  CREATE INDEX sessions_written ON sessions (written);
  CREATE TABLE cards (session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE, record TEXT NOT NULL);
  CREATE TABLE runs (session_id INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE, records TEXT NOT NULL);
  CREATE TABLE operations (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
  ) WITHOUT ROWID;
  CREATE TABLE tombstones (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    UNIQUE (session_id, key)
  );
  CREATE TABLE events (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE records (
    n INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    UNIQUE (kind, key)
  );
  `,
  `
  CREATE TABLE leases (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    producer TEXT NOT NULL,
    ttl INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, producer)
  ) WITHOUT ROWID;
  CREATE INDEX leases_expires_at ON leases (expires_at);
  CREATE TABLE holds (
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    producer TEXT NOT NULL,
    PRIMARY KEY (session_id, key)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE receipts (
    n INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    digest TEXT NOT NULL,
    answer TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (session_id, key)
  );
  `,
];

/** The version this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Throws when an open database is of a newer program or not ours. Writes nothing. */
export function checkOwner(db: DatabaseSync, path: string): void {
  const version = pragma(db, 'user_version');
  const owner = pragma(db, 'application_id');
  const tables = Number(db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] ?? 0);
  if (owner !== APPLICATION_ID && (tables > 0 || owner !== 0)) {
    throw new Error(`${path} is a database of another program. Name another file for the store.`);
  }
  if (version > SCHEMA_VERSION) {
    throw new Error(
      `${path} was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}). Use the newer version or another file.`,
    );
  }
}

/** Brings an open database, which `checkOwner` let pass, to SCHEMA_VERSION in one transaction. */
export function migrate(db: DatabaseSync): void {
  const version = pragma(db, 'user_version');
  if (version === SCHEMA_VERSION) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(version)) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}
