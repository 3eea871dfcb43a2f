import type { LoggedEvent, Position } from './position.ts';

/** What was stored of a session after a position. */
export interface Since extends Position {
  /** Events after the position asked about, in order; undefined when it is of another history, or some of them are no longer kept. */
  readonly events: readonly LoggedEvent[] | undefined;
}

/** Told what other writers of a shared store do. No call may throw. */
export interface StoreWatcher {
  /** A followed session may have been written to. A hint: some come late, twice or never. */
  changed(session: string, position: Position): void;
  /** The store can be reached again, or cannot be reached any more. */
  reachable(up: boolean): void;
}

/** What a shared store came to since it was opened. */
export interface SharedCounts {
  /** Connections that were made again after they were lost. */
  readonly reconnects: number;
  /** Hints that came. */
  readonly hints: number;
  /** Commits that were sent once more because it was not known what had become of them. */
  readonly resent: number;
  /** Histories that began a new epoch, because the server had been restarted or replaced. */
  readonly newEpochs: number;
}

/**
 * What several gateways need that keep the same sessions. Writers compare and set: a change is stored only while its session
 * stands where it was made at. Readers ask: hints are only there so that they ask sooner.
 *
 * Every call rejects with a StoreUnavailable while the store cannot be reached.
 */
export interface SharedStore {
  /** False while it cannot be reached. */
  readonly up: boolean;
  readonly counts: SharedCounts;
  /** Tells one watcher from now on. */
  watch(watcher: StoreWatcher): void;
  /** Asks for hints of a session, until `unfollow`. */
  follow(session: string): void;
  unfollow(session: string): void;
  /**
   * The epoch a session that nothing was ever stored of will begin in: the one given, or another that was given before. Not for
   * ever: a session that begins later than a day after begins in whatever epoch it is first written in.
   */
  reserve(session: string, epoch: string): Promise<string>;
  /** What was stored after a position, or undefined when nothing is stored of the session. */
  since(session: string, after: Position): Promise<Since | undefined>;
  /**
   * Where sessions stand: undefined for one that nothing is stored of. What could not be asked is missing. Never rejects.
   */
  heads(sessions: readonly string[]): Promise<ReadonlyMap<string, Position | undefined>>;
}
