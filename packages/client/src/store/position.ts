/** A place in a history: which life of it, and the number of the newest event taken. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

/** Reads `epoch:seq`; undefined for any other form. The epoch may itself hold colons. */
export function parseCursor(cursor: string): Position | undefined {
  const at = cursor.lastIndexOf(':');
  const digits = cursor.slice(at + 1);
  const seq = Number(digits);
  return at > 0 && /^\d+$/.test(digits) && Number.isSafeInteger(seq) ? { epoch: cursor.slice(0, at), seq } : undefined;
}

/** Steps of repair before a hole is believed; and where snapshots are known to come, and none did. */
const STEPS = 2;
const STEPS_WITH_SNAPSHOTS = 6;

/**
 * What to do with an event: take it, drop it because it is shown already, or hold it back and reopen the source, because
 * something before it is missing.
 */
export type EventVerdict = 'take' | 'duplicate' | 'repair';

/**
 * Keeps the place in the history and decides what follows it. Everything up to the position was taken, nothing after it:
 * an event that leaves a hole is held back, never applied over it.
 *
 * A repair first asks again from the position, then for a snapshot. When neither moves the position, the numbers of this
 * history have holes by nature and are believed. A source that has given snapshots has to give one first, or to fail to five times.
 */
export class Ordering {
  #position: Position | undefined;
  /** The transport's own cursor, where it is not of our form: given back as it is. */
  #raw: string | undefined;
  /** Steps of repair tried at this position: 0 none, 1 from the cursor, 2 and more by snapshot. */
  #repairs = 0;
  /** The history that gave the reason for them. */
  #cause: string | undefined;
  /** Steps before a hole is believed: now, and after the next repair. A snapshot that came since is as much as can be had. */
  #steps = STEPS;
  #most = STEPS;
  /** True while only a snapshot helps: then there is no cursor to resume from. */
  #afresh = false;
  /** True from a `resync` to an earlier place until its snapshot, which is taken although it is older. */
  #back = false;
  /** True until a connection has moved the position: only at its beginning can it go back. */
  #fresh = true;
  /** True when events without a position were taken after it, so that it no longer tells how far we are. */
  #untracked = false;

  get position(): Position | undefined {
    return this.#position;
  }

  /** Where to resume; undefined to begin afresh. */
  cursor(): string | undefined {
    if (this.#afresh) return undefined;
    return this.#position ? `${this.#position.epoch}:${this.#position.seq}` : this.#raw;
  }

  /** Judges an event by its cursor, and moves on if it is taken. */
  event(cursor: string | undefined): EventVerdict {
    const held = this.#position;
    if (cursor === undefined) {
      this.#untracked = true;
      return 'take';
    }
    // Nearly every event is the next one in its usual spelling.
    if (held?.epoch && held.seq < Number.MAX_SAFE_INTEGER && cursor === `${held.epoch}:${held.seq + 1}`) {
      this.#move({ epoch: held.epoch, seq: held.seq + 1 });
      return 'take';
    }
    const came = parseCursor(cursor);
    if (!came) {
      this.#raw = cursor;
      this.#position = undefined;
      return 'take';
    }
    return this.changes(came, came.seq - 1);
  }

  /** Judges changes that follow `after` and end at a position, and moves on if they are taken. */
  changes(came: Position, after: number): EventVerdict {
    const held = this.#position;
    const isSame = held?.epoch === came.epoch;
    if (isSame && came.seq <= held.seq) return 'duplicate';
    // Without a position only what begins with the first event of all has nothing before it.
    if (!(held ? isSame && after <= held.seq : after <= 0)) {
      this.#because(came.epoch);
      if (this.#repairs < this.#steps) {
        if (held && !isSame) this.#repairs = 1;
        return 'repair';
      }
    }
    this.#move(came);
    return 'take';
  }

  /** True if a snapshot is to be taken: it is not older than what is shown, or the server began anew. */
  snapshot(came: Position): boolean {
    const held = this.#position;
    if (held && !this.#back && came.epoch === held.epoch && came.seq < held.seq) return false;
    const moved = !held || came.epoch !== held.epoch || came.seq !== held.seq;
    this.#back = this.#fresh = this.#untracked = this.#afresh = false;
    this.#steps = STEPS;
    this.#most = STEPS_WITH_SNAPSHOTS;
    this.#raw = undefined;
    if (moved) this.#move(came);
    return true;
  }

  /** True if a heartbeat shows that something was lost and a repair may still find it. */
  heartbeat(came: Position): boolean {
    const held = this.#position;
    if (this.#untracked || this.#raw !== undefined) return false;
    // The snapshot every stream with heartbeats begins with was lost.
    if (!held) return this.#repairs < this.#steps;
    if (came.epoch === held.epoch && came.seq <= held.seq) {
      this.#repairs = 0;
      return false;
    }
    this.#because(came.epoch);
    if (this.#repairs >= this.#steps) return false;
    if (came.epoch !== held.epoch) this.#repairs = 1;
    return true;
  }

  /**
   * The server goes on elsewhere; its snapshot follows. True if that is further back in the same history, which only the
   * beginning of a connection can say: once it has gone on, such a word is one that came too late.
   */
  resync(came: Position): boolean {
    const held = this.#position;
    this.#back = this.#fresh && held !== undefined && came.epoch === held.epoch && came.seq < held.seq;
    return this.#back;
  }

  /** A new connection began: what an earlier one announced no longer counts. */
  reconnected(): void {
    this.#back = false;
    this.#fresh = true;
  }

  /** Called when the source is reopened for a repair: takes the next step. */
  repair(): void {
    this.#repairs++;
    this.#steps = this.#most;
    this.#afresh = this.#repairs > 1;
  }

  /** Steps that were tried for what another history said do not count for this one. */
  #because(epoch: string): void {
    if (this.#cause !== undefined && this.#cause !== epoch) this.#repairs = 0;
    this.#cause = epoch;
  }

  #move(position: Position): void {
    this.#position = position;
    this.#cause = undefined;
    this.#repairs = 0;
    this.#afresh = this.#untracked = this.#back = this.#fresh = false;
  }
}
