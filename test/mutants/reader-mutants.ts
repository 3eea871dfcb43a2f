import type { Mutant } from './mutants.ts';

const client = (file: string, find: string, replace: string, why: string): Mutant => ({ package: 'client', file, find, replace, why });

/** Faults in how a reader keeps its place: in the store, its history, and the relay that many pages read through. */
export const READER_MUTANTS: readonly Mutant[] = [
  client(
    'store/position.js',
    "if (isSame && came.seq <= held.seq) return 'duplicate';",
    "if (held && came.seq <= held.seq) return 'duplicate';",
    'no epoch: another history is taken for the one that is shown',
  ),
  client(
    'store/position.js',
    "if (isSame && came.seq <= held.seq) return 'duplicate';",
    "if (isSame && came.seq <= held.seq) return 'take';",
    'no dedupe: what is shown already is applied once more',
  ),
  client(
    'store/position.js',
    'if (this.#repairs < this.#steps) { if (held && !isSame)',
    'if (false) { if (held && !isSame)',
    'no gap check: a hole is believed at once',
  ),
  client(
    'store/position.js',
    "if (isSame && came.seq <= held.seq) return 'duplicate';",
    "if (isSame && came.seq === held.seq) return 'duplicate';",
    'out of order: an older event is taken after a newer one',
  ),
  client(
    'store/position.js',
    'if (held && !this.#back && came.epoch === held.epoch && came.seq < held.seq) return false;',
    '',
    'stale snapshot: an older one replaces what is shown',
  ),
  client(
    'store/position.js',
    'const held = this.#position; if (this.#untracked',
    'return false; const held = this.#position; if (this.#untracked',
    'no heartbeat: a lost last event is never noticed',
  ),
  client('store/position.js', 'return this.#repairs < this.#steps;', 'return false;', 'a lost beginning is never noticed'),
  client('store/position.js', 'this.#back = this.#fresh && held', 'this.#back = held', 'a word that came late turns the session back'),
  client('store/position.js', 'this.#afresh = this.#repairs > 1;', '', 'what cannot be resumed is asked for again and again'),
  client(
    'store/position.js',
    'cursor === `${held.epoch}:${held.seq + 1}`',
    'cursor.endsWith(`:${held.seq + 1}`)',
    'the next number of another history is taken for the next one',
  ),
  client('store/store.js', "return verdict === 'take';", "return verdict !== 'duplicate';", 'an event is applied over the hole before it'),
  client(
    'store/store.js',
    "this.#report('gap', 'A heartbeat is ahead of what arrived; the source is reopened.'); return this.#feed.repair();",
    "return this.#report('gap', '');",
    'what a heartbeat shows to be lost is not asked for',
  ),
  client(
    'store/store.js',
    'this.#catchUp(text === undefined ? undefined : this.#coalescer?.before(value));',
    '',
    'what was held back is applied after what came later',
  ),
  client(
    'store/store.js',
    'this.#coalescer?.forget(); this.outcomes.applied++;',
    'this.outcomes.applied++;',
    'updates are held back for what a snapshot has replaced',
  ),
  client('source/guard.js', 'if (signal.aborted) return undefined;', '', 'a source that was let go goes on speaking'),
  client(
    'store/link.js',
    'else if (link.heardAt === undefined) link.brokenAt = undefined;',
    'else link.brokenAt = undefined;',
    'a connection counts as whole before anything shows it',
  ),
  client('store/history.js', '&& this.#look.next >= this.#gone', '', 'a look goes on where the window has moved away'),
  client('store/history.js', 'apply(this.#base, entry);', '', 'the window begins with a state that lacks what left it'),
  client('store/history.js', 'this.#base.load(snapshot);', '', 'what a snapshot brought is not there in the past'),
  client('relay/keeper.js', 'if (reader.epoch !== epoch || reader.seq < seq) hand', 'hand', 'a reader that is ahead is handed what it has'),
  client(
    'relay/keeper.js',
    'if (reader.epoch !== epoch || reader.seq <= seq || this.#back)',
    '',
    'a reader is handed a snapshot older than what it has',
  ),
  client('relay/keeper.js', 'this.#log.restart(at);', '', 'a reader that comes back is handed events from before a snapshot'),
  client(
    'relay/keeper.js',
    "if (this.#ordering.heartbeat(event)) return 'repair';",
    '',
    'what is lost before the relay is never asked for',
  ),
  client(
    'relay/event-log.js',
    'if (epoch !== this.#epoch || seq < this.#base) return undefined;',
    'if (epoch !== this.#epoch) return undefined;',
    'what is no longer kept counts as nothing missed',
  ),
  client(
    'store/store.js',
    'this.#ordering.changes(changes, changes.after)',
    'this.#ordering.changes(changes, 0)',
    'changes are applied over the hole before them',
  ),
];
