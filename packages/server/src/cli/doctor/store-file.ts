import { accessSync, constants, existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { resultCode } from '../../store/sqlite/open.ts';
import { reservePath } from '../../store/sqlite/room.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../store/sqlite/schema.ts';
import { counted } from '../counted.ts';
import { finder } from './finding.ts';
import type { Finding } from './finding.ts';

const SQLITE_BUSY = 5;
/** Bytes of room below which it is worth a word, and below which nothing goes on. */
const LITTLE_ROOM = 268_435_456;
const NO_ROOM = 8_388_608;

/** Looks at a store file and what is around it, and changes nothing. */
export function checkStoreFile(path: string): Finding[] {
  const store = finder('store');
  const folder = dirname(resolve(path));
  if (!existsSync(folder)) return [store.ok(`There is no folder ${folder} yet; serve makes it.`)];
  const findings = [...checkRoom(path, folder), ...checkDamaged(path, folder)];
  if (!isWritable(folder))
    findings.push(
      store.fail(
        `The folder ${folder} may not be written to.`,
        'Give the user of serve the right to write there, or name another file with --store.',
      ),
    );
  if (!existsSync(path)) return [store.ok(`There is no file ${path} yet; serve makes it.`), ...findings];
  if (!statSync(path).isFile()) return [store.fail(`${path} is no file.`, 'Name another one with --store.'), ...findings];
  if (!isWritable(path)) findings.push(store.fail(`${path} may not be written to.`, 'Give the user of serve the right to write it.'));
  const mode = statSync(path).mode & 0o077;
  if (process.platform !== 'win32' && mode & 0o044)
    findings.push(store.warn(`Other users of this machine may read ${path}.`, `chmod 600 ${path}*`));
  return [...checkInside(path), ...findings];
}

function checkInside(path: string): Finding[] {
  const store = finder('store');
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) return [store.warn('This Node has no SQLite, so nobody looked into the file.', 'Use Node 22.13 or newer.')];
  const before = ['-wal', '-shm'].map((suffix) => existsSync(path + suffix));
  let db: DatabaseSync | undefined;
  try {
    db = new sqlite.DatabaseSync(path, { readOnly: true });
    const ask = (pragma: string): unknown => Object.values(db?.prepare(`PRAGMA ${pragma}`).get() ?? {})[0];
    const [owner, version] = [ask('application_id'), Number(ask('user_version'))];
    if (owner !== APPLICATION_ID) return [store.fail(`${path} is a database of another program.`, 'Name another file with --store.')];
    if (version > SCHEMA_VERSION)
      return [
        store.fail(
          `${path} was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}).`,
          'Use the newer version, or another file.',
        ),
      ];
    const verdict = String(ask('integrity_check(1)'));
    if (verdict !== 'ok') return [damaged(path, verdict)];
    const count = (table: string): number => Number(db?.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n'] ?? 0);
    const older = version < SCHEMA_VERSION ? ` Its schema ${version} is older; serve brings it up to ${SCHEMA_VERSION}.` : '';
    return [
      store.ok(
        `${path} is sound: ${counted(count('sessions'), 'session')}, ${counted(count('events'), 'event')}, ${size(statSync(path).size)}.${older}`,
      ),
    ];
  } catch (error) {
    const { message } = error as Error;
    if (resultCode(error) === SQLITE_BUSY || /locked/.test(message))
      return [store.ok(`${path} is in use by a gateway, so nobody else can look into it; it was looked at when that began.`)];
    return [damaged(path, message)];
  } finally {
    db?.close();
    // What looking at it left behind.
    ['-wal', '-shm'].forEach((suffix, n) => {
      if (before[n] === false && before[0] === false) rmSync(path + suffix, { force: true });
    });
  }
}

function damaged(path: string, verdict: string): Finding {
  const advice =
    'serve moves it aside and begins a fresh one. Keep a copy if you want to look for what can be saved (sqlite3 <file> .recover).';
  return finder('store').fail(`${path} is damaged (${verdict.replaceAll('\n', ' ')}).`, advice);
}

function checkRoom(path: string, folder: string): Finding[] {
  const room = finder('room');
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const findings: Finding[] = [];
  if (free < NO_ROOM)
    findings.push(room.fail(`The disk of ${folder} is full: ${size(free)} are free.`, 'Free some; until then writes are refused.'));
  else if (free < LITTLE_ROOM)
    findings.push(
      room.warn(`The disk of ${folder} has ${size(free)} left.`, 'Free some, or keep less with --limit events=… and sessionAge=….'),
    );
  else findings.push(room.ok(`The disk of ${folder} has ${size(free)} left.`));
  if (existsSync(path) && !existsSync(reservePath(path)) && free < LITTLE_ROOM)
    findings.push(room.warn(`${reservePath(path)} is missing: it was used up on a full disk.`, 'It is made again once there is room.'));
  return findings;
}

function checkDamaged(path: string, folder: string): Finding[] {
  const prefix = `${basename(path)}.damaged-`;
  const aside = readdirSync(folder).filter((name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name));
  if (aside.length === 0) return [];
  const advice = 'Find out why (disk, memory, a copy taken while it was written), then take them away.';
  return [
    finder('store').warn(
      `${counted(aside.length, 'damaged file')} ${aside.length === 1 ? 'was' : 'were'} moved aside: ${aside.slice(0, 3).join(', ')}.`,
      advice,
    ),
  ];
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function size(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
  return `${(bytes / (unit as number)).toFixed(1)} ${name}`;
}
