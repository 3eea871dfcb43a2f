import type { Mutant } from './mutants.ts';

const server = (file: string, find: string, replace: string, why: string): Mutant => ({ package: 'server', file, find, replace, why });

const COMMIT = 'const { dropped: gone, refused: refusals } = changes.length > 0 ? await store.commit(changes)';

/** Faults in how a gateway writes, keeps and hands out what it was given. */
export const GATEWAY_MUTANTS: readonly Mutant[] = [
  server(
    'gateway/write/writer.js',
    COMMIT,
    `ready.forEach((job, n) => job.resolve(answers[n])); ${COMMIT}`,
    'a write is acknowledged before it is stored',
  ),
  server(
    'gateway/write/writer.js',
    COMMIT,
    `for (const { session, epoch, seq, events } of changes) publish({ session, epoch, events, end: { epoch, seq } }); ${COMMIT}`,
    'readers are told of what is not stored',
  ),
  server(
    'gateway/write/writer.js',
    'for (const [session, { firstEpoch }] of live) { sessions.drop(session);',
    'for (const [session, { firstEpoch }] of live) {',
    'what was not stored stays in memory',
  ),
  server('gateway/write/writer.js', 'while (this.#commit) await this.#commit;', '', 'a reader begins with what is not stored yet'),
  server(
    'gateway/session/live-session.js',
    "if (applied.outcome !== 'applied') return applied.outcome;",
    "if (applied.outcome === 'invalid') return applied.outcome;",
    'no sticky end: what comes after the end goes into the log',
  ),
  server('gateway/session/live-session.js', 'this.#uncommitted.remove(key, before.attempt);', '', 'a tombstone is lost with the process'),
  server('gateway/session/live-session.js', 'if (leaving) this.#log(clearOf(event, leaving));', '', 'readers keep what had to leave'),
  server(
    'gateway/write/card-write.js',
    'revision: held.revision + 1,',
    'revision: (held.card ? held.revision : 0) + 1,',
    'the revision begins anew after a clear',
  ),
  server(
    'gateway/write/card-write.js',
    'if (put.expectedRevision !== undefined && put.expectedRevision !== held.revision)',
    'if (false)',
    'a conflict is ignored and another card is lost',
  ),
  server(
    'gateway/write/card-write.js',
    'put.expectedRevision !== held.revision',
    'put.expectedRevision < held.revision',
    'a writer that expects a card nobody wrote overwrites',
  ),
  server('gateway/write/idempotency.js', 'if (known) return', 'if (false) return', 'a repeated write is carried out again'),
  server('gateway/write/idempotency.js', 'known.digest === digest ?', 'true ?', 'another write under a used key is answered as the first'),
  server(
    'gateway/read/reader.js',
    'if (cursor?.epoch !== live.epoch)',
    'if (cursor === undefined)',
    'a reader of another history goes on in this one',
  ),
  server(
    'gateway/read/reader.js',
    'const release = sessions.hold(session); try { const { opening',
    'const release = () => {}; try { const { opening',
    'a session is forgotten while a reader begins',
  ),
  server('gateway/read/hub.js', 'topic.seq = batch.end.seq;', '', 'heartbeats stay where they were'),
  server('gateway/read/hub.js', 'if (topic) Object.assign(topic, { epoch, seq });', '', 'heartbeats speak of the history before'),
  server(
    'store/memory/memory.js',
    'if (behind > row.events.length) return undefined;',
    'if (behind > row.events.length) return [];',
    'what is no longer kept counts as nothing missed',
  ),
  server(
    'gateway/lease/lease-keeper.js',
    'await Promise.all(lost.map((lease) => this.#parts.end(lease)));',
    '',
    'what a dead producer left open runs for ever',
  ),
  server(
    'gateway/lease/lease-keeper.js',
    'expiresAt <= now && this.#own() - this.#awake >= ttl',
    'expiresAt <= now',
    'a gateway that was away takes everybody for lost',
  ),
];
