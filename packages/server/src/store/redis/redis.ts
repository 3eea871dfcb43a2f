import { randomBytes } from 'node:crypto';
import type { CardRecord, Operation, Run, Usage } from '@sitrep/schema';
import type { Activity } from '@sitrep/schema/select';
import { fromText, toText } from '../key-text.ts';
import { AgeCheck, isReceiptOnly, resolveLimits } from '../limits.ts';
import type { LoggedEvent, Position } from '../position.ts';
import type { SharedStore, Since, StoreWatcher } from '../shared.ts';
import type { SessionChange, SessionSummary, Store, StoredReceipt, StoredSession, StoreLimits } from '../store.ts';
import { isUnavailable, StoreUnavailable } from '../unavailable.ts';
import { readAddress } from './address.ts';
import { commitCall, owedName } from './commit.ts';
import { lookAt } from './health.ts';
import { createKeys } from './keys.ts';
import { createRedisLeases } from './leases.ts';
import { RedisLink } from './link.ts';
import { createRedisRecords } from './records.ts';
import { COMMIT, DROP, LOAD, PEEK, PING, PLACE, RECEIPT, RESERVE, SETTLE, SINCE, SUMMARY, TOUCH } from './scripts.ts';
import { SessionIndexKeys } from './session-index.ts';
import { OWED_SECONDS, Sweep } from './sweep.ts';

/** Milliseconds a commit that may or may not have been taken is asked about before its writers are told that nobody knows. */
const IN_DOUBT_MS = 15_000;
/** Milliseconds before a node of a cluster is asked again, on average. */
const RESEND_MS = 200;
/** Milliseconds the epoch of a session that has not begun is kept. */
const RESERVED_MS = 86_400_000;
/** Sessions looked at in one go while old ones are let go. */
const OLD_PAGE = 100;

/** Options of the Redis store. */
export interface RedisStoreOptions extends StoreLimits {
  /** What the names of all keys and channels begin with. Default `sitrep:`. */
  readonly prefix?: string | undefined;
  /** Milliseconds an answer of Redis may take before it counts as away. Default 2,000. */
  readonly timeoutMs?: number | undefined;
  /** Parts the list of sessions is kept in, the same for all gateways and for ever. Default: 1, for a cluster 64. */
  readonly indexShards?: number | undefined;
  /** Told in one line what is wrong with Redis and what was survived. Default: standard error. */
  readonly log?: ((line: string) => void) | undefined;
}

/**
 * Keeps sessions on Redis 7 or newer, for any number of gateways: each of them serves every session. How durable what is
 * acknowledged is, Redis decides (`appendonly`, `appendfsync`).
 *
 * @param url `redis://` or `rediss://` and a server, `redis+cluster://` or `rediss+cluster://` and some nodes of a cluster, with
 * commas between them
 * @throws when the address is none, or Redis cannot be reached or is too old
 */
export async function createRedisStore(url: string, options: RedisStoreOptions = {}): Promise<Store> {
  const address = readAddress(url);
  const keep = resolveLimits(options);
  const { prefix = 'sitrep:', timeoutMs = 2_000, indexShards = address.cluster ? 64 : 1 } = options;
  if (!(timeoutMs > 0)) throw new RangeError('timeoutMs must be a number above 0.');
  if (!Number.isInteger(indexShards) || indexShards < 1) throw new RangeError('indexShards must be a whole number from 1.');
  const log = options.log ?? ((line) => process.stderr.write(`sitrep: ${line}\n`));
  const keys = createKeys(prefix, indexShards);
  const age = new AgeCheck(keep.sessionAge);
  const node = randomBytes(6).toString('base64url');
  const counts = { hints: 0, resent: 0, newEpochs: 0 };
  let watcher: StoreWatcher | undefined;
  let commits = 0;
  let pings = 0;

  const link = new RedisLink({
    address,
    timeoutMs,
    ping: PING,
    known: [TOUCH, PLACE, COMMIT],
    pingKey: () => keys.written(pings++ % keys.shards),
    log,
    onReachable: (up) => watcher?.reachable(up),
    onMessage: (message) => {
      const [, from, epoch, seq, session] = /^(\S+) (\S+) (\d+) ([^]*)$/.exec(message) ?? [];
      if (session === undefined || epoch === undefined || from === node) return;
      counts.hints += 1;
      watcher?.changed(session, { epoch, seq: Number(seq) });
    },
  });
  const leases = createRedisLeases(link, keys);
  const records = createRedisRecords(link, keys);
  const index = new SessionIndexKeys(link, keys, keep.sessions, (sessions) => Promise.all(sessions.map(listed)));

  /** The epoch a script was given for the case that the server began another life was used. */
  function seen(epoch: string, fresh: string): string {
    if (epoch === fresh) counts.newEpochs += 1;
    return epoch;
  }

  async function summary(session: string): Promise<SessionSummary | undefined> {
    const fresh = newEpoch();
    const reply = (await link.run(SUMMARY, [keys.session(session).head], [fresh])) as (string | null)[] | null;
    if (!reply) return undefined;
    const [epoch, seq, updatedAt, activity, open, title] = reply;
    return {
      session,
      epoch: seen(epoch ?? '', fresh),
      seq: Number(seq),
      updatedAt: Number(updatedAt),
      activity: activity as Activity,
      open: open === '1',
      ...(title === null ? {} : { title }),
    };
  }

  /** The same for a list: one that is damaged must not keep the others from being seen. */
  async function listed(session: string): Promise<SessionSummary | undefined> {
    try {
      return await summary(session);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log(`A session is damaged and is not listed: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Stores one change, and finds out what became of it when the connection was lost meanwhile. Never rejects. */
  async function store(change: SessionChange): Promise<'stored' | 'moved' | StoreUnavailable> {
    const fresh = newEpoch();
    const id = `${node}:${++commits}`;
    const { keys: names, args } = commitCall(change, id, fresh, keys, keep, address.cluster);
    const began = performance.now();
    const deadline = began + IN_DOUBT_MS;
    let doubt: unknown;
    for (;;) {
      try {
        const [word] = (await link.run(COMMIT, names, args)) as [string];
        if (word === 'stored') {
          // What is late is left to the sweep, which may be at it.
          if (address.cluster && change.records && performance.now() - began < OWED_SECONDS * 500) await settle(change, id);
          return 'stored';
        }
        if (word === 'unknown') return new StoreUnavailable('Redis no longer knows what became of a commit.', { inDoubt: true });
        return 'moved';
      } catch (error) {
        const inDoubt = !isUnavailable(error) || error.inDoubt;
        if (!inDoubt && doubt === undefined) return error;
        if (!isUnavailable(error)) return new StoreUnavailable((error as Error).message, { cause: error, inDoubt: true });
        doubt = error;
      }
      const left = deadline - performance.now();
      if (left <= 0 || !(await link.reachable(left)))
        return new StoreUnavailable((doubt as Error).message, { cause: doubt, inDoubt: true });
      // Of a cluster others can be reached while the one that is asked cannot.
      if (address.cluster) await new Promise((resolve) => setTimeout(resolve, RESEND_MS * (0.5 + Math.random())));
      counts.resent += 1;
    }
  }

  /** Writes records where they belong that a commit wrote down; the sweep does what cannot be done now. Never rejects. */
  async function settle({ session, records: written = [] }: SessionChange, id: string): Promise<void> {
    try {
      await records.write(written.map(({ kind, key, value }) => ({ kind, key, value })));
      await link.run(
        SETTLE,
        [keys.session(session).owed],
        written.flatMap((record) => [owedName(record), id]),
      );
    } catch (error) {
      if (!isUnavailable(error)) log(`Records of a commit could not be written: ${(error as Error).message}`);
    }
  }

  async function drop(session: string): Promise<void> {
    await link.run(DROP, Object.values(keys.session(session)), []);
  }

  /** Lets sessions go that are too many or too old. What cannot be let go now is let go later. Never rejects. */
  async function trim(changes: readonly SessionChange[], excess: ReadonlyMap<number, number>): Promise<string[]> {
    const dropped: string[] = [];
    try {
      for (const [shard, count] of excess) {
        const oldest = await index.oldest(shard, count);
        await Promise.all(oldest.map(({ session }) => drop(session)));
        await index.gone(oldest);
        dropped.push(...oldest.map(({ session }) => session));
      }
      const before = age.due(changes);
      if (before === undefined) return dropped;
      for (let shard = 0; shard < keys.shards; shard += 1) {
        for (;;) {
          const page = await index.oldest(shard, OLD_PAGE);
          const summaries = await Promise.all(page.map(({ session }) => summary(session)));
          const old = page.filter((_, n) => (summaries[n]?.updatedAt ?? -Infinity) < before);
          await Promise.all(old.map(({ session }) => drop(session)));
          await index.gone(old);
          dropped.push(...old.map(({ session }) => session));
          if (old.length < OLD_PAGE) break;
        }
      }
    } catch (error) {
      if (!isUnavailable(error)) log(`Old sessions could not be let go: ${(error as Error).message}`);
    }
    return dropped;
  }

  const shared: SharedStore = {
    get up() {
      return link.up;
    },
    get counts() {
      return { ...counts, reconnects: link.reconnects };
    },
    watch(given) {
      watcher = given;
    },
    follow: (session) => link.subscribe(keys.channel(session)),
    unfollow: (session) => link.unsubscribe(keys.channel(session)),
    async reserve(session, epoch) {
      const { head, reservation } = keys.session(session);
      return (await link.run(RESERVE, [head, reservation], [newEpoch(), epoch, String(RESERVED_MS)])) as string;
    },
    since: (session, { epoch, seq }) => since(session, epoch, seq),
    async heads(sessions) {
      const found = new Map<string, Position | undefined>();
      await Promise.allSettled(
        sessions.map(async (session) => {
          const fresh = newEpoch();
          const reply = (await link.run(PEEK, [keys.session(session).head], [fresh])) as [string, string] | null;
          found.set(session, reply ? { epoch: seen(reply[0], fresh), seq: Number(reply[1]) } : undefined);
        }),
      );
      return found;
    },
  };

  async function since(session: string, epoch: string, seq: number): Promise<Since | undefined> {
    const fresh = newEpoch();
    const own = keys.session(session);
    const reply = (await link.run(SINCE, [own.head, own.stream], [fresh, epoch, String(seq)])) as
      [string, string, number, ...string[]] | null;
    if (!reply) return undefined;
    const [now, last, whole, ...flat] = reply;
    const events: LoggedEvent[] = [];
    for (let n = 0; n + 1 < flat.length; n += 2) events.push({ seq: seq + n / 2 + 1, type: flat[n] ?? '', data: flat[n + 1] ?? '' });
    return { epoch: seen(now, fresh), seq: Number(last), events: whole === 1 ? events : undefined };
  }

  await link.open().catch((error: unknown) => {
    link.close();
    throw new Error(`Redis at ${address.shown} cannot be reached: ${(error as Error).message}`, { cause: error });
  });
  try {
    for (const warning of await warningsOf(address.urls, timeoutMs)) log(warning);
  } catch (error) {
    link.close();
    throw error;
  }

  const sweep = new Sweep({ link, keys, node, index, leases, records, log });
  return {
    kind: 'redis',
    shared,
    records,
    leases,
    async load(session) {
      const fresh = newEpoch();
      const own = keys.session(session);
      const reply = (await link.run(LOAD, [own.head, own.operations, own.tombstones, own.attempts], [fresh])) as Loaded | null;
      if (!reply) return undefined;
      const stored = loaded(session, reply);
      seen(stored.epoch, fresh);
      return stored;
    },
    async commit(changes) {
      const moving = changes.filter((change) => !isReceiptOnly(change));
      const noting = Promise.all([index.touch(moving), leases.note(changes)]);
      // One server takes what it is sent in order, so that nothing is written that was not noted; several have to be waited for.
      const noted = address.cluster ? await noting : undefined;
      const refused = new Map<string, 'moved' | StoreUnavailable>();
      await Promise.all(
        changes.map(async (change) => {
          const { session } = change;
          const fault = noted?.[0].faults.get(session) ?? noted?.[1].get(session);
          const became = fault === undefined ? await store(change) : kept(fault);
          if (became !== 'stored') refused.set(session, became);
        }),
      );
      const [{ excess, places }] = await noting;
      const closed = changes
        .filter(({ session, open }) => !open && places.has(session) && !refused.has(session))
        .map(({ session }) => ({ session, place: places.get(session) ?? '' }));
      if (closed.length > 0) void index.closed(closed);
      const dropped = await trim(moving, excess);
      return refused.size > 0 ? { dropped, refused } : { dropped };
    },
    async eventsAfter(session, seq) {
      const found = await since(session, '', seq);
      if (!found) return seq === 0 ? [] : undefined;
      return found.seq < seq ? [] : found.events;
    },
    async receipt(session, key) {
      const reply = (await link.run(RECEIPT, [keys.session(session).receipts], [toText(key)])) as string | null;
      return reply === null ? undefined : (JSON.parse(reply) as StoredReceipt);
    },
    list: ({ limit, open }) => index.list(limit, open === true),
    async close() {
      sweep.close();
      link.close();
    },
  };
}

/** What LOAD answers: the head, operations, keys of tombstones in order and their attempts, each a flat list. */
type Loaded = readonly [readonly string[], readonly string[], readonly string[], readonly string[]];

function loaded(session: string, [head, operations, tombstones, attempts]: Loaded): StoredSession {
  const fields = toMap(head);
  const attemptOf = toMap(attempts);
  const [card, runs, usage] = [fields.get('card'), fields.get('runs'), fields.get('usage')];
  return {
    session,
    epoch: fields.get('epoch') ?? '',
    seq: Number(fields.get('seq')),
    updatedAt: Number(fields.get('updatedAt')),
    title: fields.get('title'),
    usage: usage === undefined ? undefined : (JSON.parse(usage) as Usage),
    card: card === undefined ? { revision: 0, card: null } : (JSON.parse(card) as CardRecord),
    runs: runs === undefined ? [] : (JSON.parse(runs) as Run[]),
    operations: [...toMap(operations)]
      .map(([key, value]) => {
        const colon = value.indexOf(':');
        return { key: fromText(key), position: Number(value.slice(0, colon)), record: JSON.parse(value.slice(colon + 1)) as Operation };
      })
      .sort((a, b) => a.position - b.position),
    tombstones: tombstones.map((key) => ({ key: fromText(key), attempt: Number(attemptOf.get(key) ?? 1) })),
  };
}

/** Nothing was written because of a fault before. Throws what is no fault of the connection. */
function kept(fault: unknown): StoreUnavailable {
  if (!isUnavailable(fault)) throw fault;
  return new StoreUnavailable(fault.message, { cause: fault });
}

function toMap(flat: readonly string[]): Map<string, string> {
  const map = new Map<string, string>();
  for (let n = 0; n + 1 < flat.length; n += 2) map.set(flat[n] ?? '', flat[n + 1] ?? '');
  return map;
}

/** What is wrong with servers, each thing once. A server that cannot be looked at is not judged. */
async function warningsOf(urls: readonly string[], timeoutMs: number): Promise<Set<string>> {
  const found = new Set<string>();
  for (const url of urls) for (const warning of await lookAt(url, timeoutMs)) found.add(warning);
  return found;
}

/** Only characters that are safe in a header, an SSE field, a URL and the messages of hints. */
function newEpoch(): string {
  return randomBytes(9).toString('base64url');
}
