import type { Changes, Operation, Outcome, ProgressEvent, Run, Snapshot } from '@sitrep/schema';
import { isFinal } from '@sitrep/schema';
import type { Issue } from '@sitrep/schema/check';
import { checkStreamEvent } from '@sitrep/schema/check';
import { readStreamEvent } from '@sitrep/schema/check/read';
import type { Coalescer } from '@sitrep/schema/reduce';
import { NO_CARD, SessionIndex } from '@sitrep/schema/reduce';
import { systemClock } from '../clock.ts';
import { describe } from '../fault.ts';
import { goodbye } from '../source/frame-text.ts';
import type { Diagnostic } from '../source/source.ts';
import { Feed } from './feed.ts';
import { LinkWatch } from './link.ts';
import { Notifier } from './notifier.ts';
import { Ordering } from './position.ts';
import type { EventVerdict } from './position.ts';
import type { Store, StoreOptions } from './types.ts';
import type { SessionView } from './view.ts';

export type { Store, StoreOptions } from './types.ts';
export type { SessionView } from './view.ts';

/** Types that speak of the stream itself: their place in it is in their body, not in the cursor. */
const CONTROL: ReadonlySet<unknown> = new Set(['snapshot', 'changes', 'heartbeat', 'resync', 'end']);
/** Codes counted apart; a source of somebody else's may have any number of them. */
const MAX_CODES = 64;
const NONE: readonly never[] = Object.freeze([]);

/**
 * A store of one session: checks what its source delivers, orders it, reduces it, and tells its listeners.
 *
 * - Order: a frame with a cursor `epoch:seq` is taken if it is the next one (or the first of all) and dropped if it was taken before. One that
 *   leaves a hole is held back and the source is reopened: from the position, then for a snapshot, and if neither moves
 *   the position the hole is accepted. A frame of another epoch needs a snapshot in the same way. Frames without a cursor
 *   are taken as they come.
 * - Snapshot: replaces everything, unless it is older than what is shown (same epoch). It may be older only after a `resync`
 *   to an earlier place at the beginning of a connection; until it arrives, what was known stays.
 * - Changes: take the place of the events between two positions, for a reader that stands at the first of them or between.
 * - Heartbeat: one that is ahead, of another epoch, or the first thing of all shows that something was lost, and the source
 *   is reopened.
 * - Freshness: after a break the connection is `reconnecting` until a heartbeat or a snapshot shows that nothing is missing,
 *   where the stream has heartbeats. `quiet` when nothing came for `quietAfter`. When the page comes back from a freeze or
 *   the back button, or the machine from sleep, the source is reopened from the position.
 * - Nothing a frame holds makes the store throw. What was wrong goes to `onDiagnostic` with a code (`invalid`, `unknown`,
 *   `late`, `stale`, `gap`, `listener`, `source`, and the source's own) and is counted in `outcomes`. Duplicates
 *   are only counted: a reconnect may bring them.
 * - Bounded by the limits of the session index; listeners are called at most about once per `quantum`.
 *
 * @throws TypeError without a source.
 */
export function createStore(options: StoreOptions): Store {
  return new SessionStore(options, checkStreamEvent);
}

/**
 * The same store, except that of a frame whose shape is wrong it reports only that: for pages that show what is right and tell nobody
 * what was wrong. What explains it is 2 kB of code, which a bundle without `createStore` does not hold.
 *
 * @throws TypeError without a source.
 */
export function createLeanStore(options: StoreOptions): Store {
  return new SessionStore(options, readStreamEvent);
}

class SessionStore implements Store {
  readonly outcomes: Record<Outcome, number> = { applied: 0, late: 0, stale: 0, duplicate: 0, unknown: 0, invalid: 0 };
  readonly diagnostics = new Map<string, number>();
  readonly #options: StoreOptions;
  readonly #check: typeof checkStreamEvent;
  readonly #ordering = new Ordering();
  readonly #notifier: Notifier;
  readonly #feed: Feed;
  #index: SessionIndex | undefined;
  #coalescer: Coalescer | undefined;
  /** Text of the frame that is about to come, when it could not be held back. */
  #offered: string | undefined;
  #loaded = false;
  #closed = false;
  readonly #link: LinkWatch;
  #view: SessionView | undefined;
  #operations: readonly Operation[] | undefined = NONE;
  #runs: readonly Run[] | undefined = NONE;

  constructor(options: StoreOptions, check: typeof checkStreamEvent) {
    if (!options?.source?.open) throw new TypeError('createStore needs { source }, such as createSseSource({ url }).');
    const { source, session, clock = systemClock, quantum = 100, linger = 1_000, repairSpacing = 1_000, quietAfter = 22_500 } = options;
    this.#options = options;
    this.#check = check;
    if (session !== undefined) this.#begin(session);
    this.#link = new LinkWatch(
      clock,
      quietAfter,
      () => this.#changed(true),
      // Asking again from here is the one way to know.
      () => this.#feed.repair(),
    );
    this.#notifier = new Notifier(clock, quantum, (error) => this.#report('listener', `A listener threw: ${describe(error)}.`));
    this.#feed = new Feed({
      source,
      clock,
      linger,
      spacing: repairSpacing,
      sink: {
        frame: (value, cursor) => this.#frame(value, cursor),
        ...(options.coalesce && { text: (json: string, cursor?: string) => this.#text(json, cursor) }),
        connection: (state) => {
          if (state === 'connecting' || state === 'reconnecting') this.#ordering.reconnected();
          this.#link.said(state, this.#loaded);
        },
        diagnostic: (diagnostic) => {
          this.#offered = undefined;
          this.#tell(diagnostic);
        },
        cursor: () => this.#ordering.cursor(),
      },
      onRepair: () => this.#ordering.repair(),
    });
  }

  getSnapshot = (): SessionView => (this.#view ??= this.#build());

  subscribe = (listener: (view: SessionView) => void): (() => void) => this.#subscribe(this.getSnapshot, listener);

  subscribeOperation = (
    id: string | number,
    run: string | undefined,
    listener: (operation: Operation | undefined) => void,
  ): (() => void) => {
    return this.#subscribe(() => this.operation(id, run), listener);
  };

  operation = (id: string | number, run?: string): Operation | undefined => {
    this.#catchUp();
    return this.#index?.find(id, run);
  };

  get history(): StoreOptions['history'] {
    return this.#options.history;
  }

  at = (seq: number): SessionView | undefined => this.#options.history?.at(seq, this.getSnapshot());

  close = (): void => {
    if (this.#closed) return;
    this.#notifier.close();
    this.#feed.close();
    this.#link.close();
    this.#closed = true;
  };

  #subscribe<T>(read: () => T, listener: (value: T) => void): () => void {
    const remove = this.#notifier.add(read, listener);
    if (this.#closed) {
      remove();
      return () => {};
    }
    this.#feed.retain();
    let active = true;
    return () => {
      if (!active) return;
      active = false;
      remove();
      this.#feed.release();
    };
  }

  /** Holds back an update that nobody may ever have to look at. False when the frame has to be read. */
  #text(json: string, cursor: string | undefined): boolean {
    this.#link.heard();
    const coalescer = this.#coalescer;
    const matched = coalescer?.match(json);
    if (!coalescer || !matched) {
      this.#offered = json;
      return false;
    }
    if (!this.#inOrder(cursor)) return true;
    coalescer.put(matched, json);
    this.#remember(json, json);
    this.outcomes.applied++;
    this.#operations = undefined;
    this.#changed(false);
    if (coalescer.full) this.#catchUp();
    return true;
  }

  /** Applies what was held back: before anybody reads, and before what it must not come after. */
  #catchUp(texts: readonly string[] | undefined = this.#coalescer?.release()): void {
    for (const text of texts ?? NONE) {
      const checked = readStreamEvent(JSON.parse(text));
      if (checked.ok) this.#index?.apply(checked.value as ProgressEvent);
    }
  }

  #frame(value: unknown, cursor: string | undefined): void {
    const text = this.#offered;
    this.#offered = undefined;
    if (text === undefined) this.#link.heard();
    this.#catchUp(text === undefined ? undefined : this.#coalescer?.before(value));
    const type = (value as { type?: unknown } | null)?.type;
    if ((type === 'operation' || !CONTROL.has(type)) && !this.#inOrder(cursor)) return;
    const checked = this.#check(value);
    if (!checked.ok) return this.#refuse(checked.issues);
    const event = checked.value;
    switch (event.type) {
      case 'snapshot':
        return this.#load(event);
      case 'changes':
        return this.#merge(event);
      case 'heartbeat':
        if (!this.#ordering.heartbeat(event)) return this.#link.heard('resumed');
        this.#report('gap', 'A heartbeat is ahead of what arrived; the source is reopened.');
        return this.#feed.repair();
      case 'resync':
        return void this.#ordering.resync(event);
      case 'end':
        // Any other one says no more of the session than a break does, and what comes then is for the source to know.
        return goodbye(event) === 'ended' ? this.#feed.end() : undefined;
      default:
        return this.#apply(event, text);
    }
  }

  /** Asks the ordering before the check, so that a repeated or held frame costs nothing, and a refused one still counts as seen. */
  #inOrder(cursor: string | undefined): boolean {
    return this.#judged(this.#ordering.event(cursor), cursor !== undefined);
  }

  /** Does what was decided about a frame; true if it is taken. */
  #judged(verdict: EventVerdict, moved: boolean): boolean {
    if (verdict === 'duplicate') this.outcomes.duplicate++;
    else if (verdict === 'repair' && !this.#feed.repairing) {
      this.#report('gap', 'An event is ahead of what arrived; the source is reopened.');
      this.#feed.repair();
    } else if (verdict === 'take' && moved) this.#changed(false);
    return verdict === 'take';
  }

  #refuse(issues: readonly Issue[]): void {
    const outcome = issues.some(({ code }) => code === 'unknown_type') ? 'unknown' : 'invalid';
    this.outcomes[outcome]++;
    for (const { path, message } of issues) this.#report(outcome, message, path);
  }

  /** The index, once the session is known; undefined if `session` is another one. */
  #indexOf(session: string): SessionIndex | undefined {
    const index = this.#index ?? this.#begin(session);
    if (index.session === session) return index;
    this.outcomes.invalid++;
    this.#report('invalid', 'The frame belongs to another session; it was dropped.', '/session');
    return undefined;
  }

  #begin(session: string): SessionIndex {
    this.#coalescer = this.#options.coalesce?.(session);
    return (this.#index = new SessionIndex(session));
  }

  #load(snapshot: Snapshot): void {
    const index = this.#indexOf(snapshot.session);
    if (!index) return;
    if (!this.#ordering.snapshot(snapshot)) {
      this.outcomes.stale++;
      return this.#report('stale', 'A snapshot is older than what is shown; it was dropped.');
    }
    index.load(snapshot);
    this.#coalescer?.forget();
    this.outcomes.applied++;
    this.#loaded = true;
    this.#operations = this.#runs = undefined;
    this.#link.heard('anew');
    this.#options.history?.begin(snapshot);
    this.#changed(true);
  }

  #merge(changes: Changes): void {
    const index = this.#indexOf(changes.session);
    if (!index || !this.#judged(this.#ordering.changes(changes, changes.after), true)) return;
    const { outcome, keys } = index.merge(changes);
    this.#coalescer?.forget();
    this.outcomes[outcome]++;
    if (outcome === 'applied') this.#remember(changes, undefined);
    this.#loaded = true;
    if (keys.length > 0) this.#operations = undefined;
    if (changes.runs) this.#runs = undefined;
    this.#changed(true);
  }

  /** Keeps an event for `at`. */
  #remember(event: ProgressEvent | Changes | string, text: string | undefined): void {
    const { position } = this.#ordering;
    if (position)
      this.#options.history?.push(position, event, text?.length, () => {
        this.#catchUp();
        return this.#index!.snapshot(0, position.epoch, position.seq);
      });
  }

  #apply(event: ProgressEvent, text: string | undefined): void {
    const index = this.#indexOf(event.session);
    if (!index) return;
    const applied = index.apply(event);
    this.#coalescer?.learn(text, event, applied);
    const { outcome, changed, keys } = applied;
    this.outcomes[outcome]++;
    if (outcome === 'applied') this.#remember(event, text);
    else if (outcome !== 'duplicate') this.#report(outcome, `An event ${DROPPED[outcome]}; it was dropped.`);
    const first = !this.#loaded;
    this.#loaded = true;
    if (!changed && !first) return;
    if (keys.length > 0) this.#operations = undefined;
    if (event.type === 'run') this.#runs = undefined;
    const state = event.type === 'operation' ? event.state : undefined;
    this.#changed(
      first || event.type === 'card' || event.type === 'run' || (state !== undefined && (state === 'blocked' || isFinal(state))),
    );
  }

  #changed(urgent: boolean): void {
    this.#view = undefined;
    this.#notifier.schedule(urgent);
  }

  #build(): SessionView {
    this.#catchUp();
    const index = this.#index;
    const position = this.#ordering.position;
    return Object.freeze({
      session: index?.session ?? '',
      loaded: this.#loaded,
      epoch: position?.epoch,
      seq: position?.seq ?? 0,
      card: index?.card ?? NO_CARD,
      operations: (this.#operations ??= Object.freeze([...(index?.operations.values() ?? NONE)])),
      runs: (this.#runs ??= Object.freeze([...(index?.runs.values() ?? NONE)])),
      title: index?.title,
      usage: index?.usage,
      connection: this.#link.connection,
    });
  }

  #report(code: string, message: string, path?: string): void {
    this.#tell({ code, message, ...(path !== undefined && { path }) });
  }

  #tell(diagnostic: Diagnostic): void {
    const { code } = diagnostic;
    const { diagnostics } = this;
    const counted = diagnostics.size < MAX_CODES || diagnostics.has(code) ? code : 'other';
    diagnostics.set(counted, (diagnostics.get(counted) ?? 0) + 1);
    try {
      this.#options.onDiagnostic?.(diagnostic);
    } catch {
      // The one who would be told is the one who threw.
    }
  }
}

/** Why a checked event changed nothing, for the outcomes worth telling. */
const DROPPED = {
  late: 'came after the end of what it is about',
  stale: 'is older than what is shown',
  unknown: 'names what is not known',
  invalid: 'could not be applied',
} as const satisfies Partial<Record<Outcome, string>>;
