import type { Clock } from '../clock.ts';
import type { Keeper } from '../relay/keeper.ts';
import { watchPage } from '../source/page.ts';
import type { PortLike } from '../source/port-messages.ts';
import { uniqueName } from '../unique-name.ts';
import type { Diagnostic, Source } from '../source/source.ts';
import { Leader } from './leader.ts';
import type { SharedMessage } from './messages.ts';
import { sharedMessage } from './messages.ts';

/** The part of `navigator.locks` that an election needs. */
export interface LocksLike {
  request(name: string, options: { readonly signal?: AbortSignal; readonly steal?: boolean }, held: () => Promise<void>): Promise<unknown>;
}

/** A channel that reaches all pages but the one that speaks, and can be left. */
export type SharedChannel = PortLike & { close(): void };

export interface MemberParts {
  /** What lock and channel are called. */
  readonly name: string;
  readonly source: Source;
  readonly keeper: Keeper;
  readonly locks: LocksLike;
  readonly channel: () => SharedChannel;
  readonly clock: Clock;
  readonly interval: number;
  readonly random: () => number;
}

/** Least milliseconds between two questions of one page. */
const ASK_SPACING = 100;

/**
 * One page among those that share a connection: it leads, or it follows. The lock says who leads; when its holder is gone,
 * the browser gives it to the next, which goes on from where it was itself. A leader that holds the lock and does not answer
 * is robbed of it. A page that is put away lets others lead.
 */
export class Member {
  readonly #parts: MemberParts;
  readonly #me = uniqueName();
  #channel: SharedChannel | undefined;
  #campaign: AbortController | undefined;
  #leader: Leader | undefined;
  /** Ends the tenure of the lock. */
  #resign: (() => void) | undefined;
  /** The newest leader heard of. */
  #term = 0;
  #following: string | undefined;
  #former: string | undefined;
  /** True when nothing of the leader can have passed by unheard: it was heard before it had begun itself. */
  #early = false;
  #asked: unknown;
  /** True when there was another reason to ask right after a question. */
  #again = false;
  #patience: unknown;
  #done = false;
  #cannot: () => void = () => {};

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  /** Takes part until `over` resolves. False if the page turns out to have no way to take part. */
  async run(over: Promise<void>): Promise<boolean> {
    const unwatch = watchPage({ away: () => this.#leave(), back: () => this.#join() });
    const cannot = new Promise<false>((resolve) => (this.#cannot = () => resolve(false)));
    this.#join();
    const took = await Promise.race([over.then(() => true), cannot]);
    this.#done = true;
    unwatch();
    this.#leave();
    return took;
  }

  #join(): void {
    if (this.#done || this.#channel) return;
    const { channel, keeper } = this.#parts;
    try {
      this.#channel = channel();
    } catch {
      return this.#cannot();
    }
    this.#channel.addEventListener('message', this.#heard);
    this.#channel.start?.();
    if (keeper.state !== 'connecting') keeper.connection('connecting');
    this.#stand();
    this.#ask();
  }

  #leave(): void {
    const { clock } = this.#parts;
    this.#campaign?.abort();
    this.#campaign = undefined;
    this.#abdicate();
    clock.clearTimeout(this.#asked);
    clock.clearTimeout(this.#patience);
    this.#asked = this.#patience = this.#following = undefined;
    this.#again = this.#early = false;
    this.#channel?.removeEventListener('message', this.#heard);
    this.#channel?.close();
    this.#channel = undefined;
  }

  /** Asks for the lock, and leads once it is had. */
  #stand(steal = false): void {
    const { locks, name } = this.#parts;
    this.#campaign?.abort();
    const campaign = (this.#campaign = new AbortController());
    const lead = (): Promise<void> => (campaign.signal.aborted ? Promise.resolve() : this.#lead());
    // A lock that is taken by force cannot be waited for, nor given up on.
    locks.request(name, steal ? { steal } : { signal: campaign.signal }, lead).catch((error: unknown) => {
      if (campaign.signal.aborted || this.#done) return;
      // Anything else says that this page may have no lock at all.
      if ((error as { name?: unknown } | null)?.name !== 'AbortError') return this.#cannot();
      // Somebody took it by force, because this page had not answered.
      this.#abdicate();
      this.#stand();
      this.#ask();
    });
  }

  #lead(): Promise<void> {
    return new Promise((resolve) => {
      const { source, keeper, clock, interval } = this.#parts;
      clock.clearTimeout(this.#patience);
      this.#following = undefined;
      this.#term = Math.max(clock.now(), this.#term + 1);
      this.#resign = resolve;
      this.#leader = new Leader({
        name: this.#me,
        term: this.#term,
        source,
        keeper,
        clock,
        interval,
        post: (message) => this.#post(message),
      });
      this.#leader.start();
    });
  }

  #abdicate(): void {
    this.#leader?.stop();
    this.#leader = undefined;
    this.#resign?.();
    this.#resign = undefined;
  }

  readonly #heard = ({ data }: { readonly data: unknown }): void => {
    const message = sharedMessage(data);
    if (message === undefined || this.#done) return;
    if (message.sitrep === 'hello') return this.#answer(message);
    // One that leads by a clock that was set back is told so; the last words of a former leader are too late.
    if (message.term < this.#term && message.sitrep === 'lead' && message.from !== this.#former) return this.#ask();
    if (message.term < this.#term || (message.term === this.#term && message.from !== (this.#following ?? message.from))) return;
    if (this.#leader) {
      if (message.term === this.#term) return;
      // Another one leads by now, and this page was robbed of the lock while it could not run.
      this.#abdicate();
      this.#stand();
    }
    if (message.from !== this.#following) {
      this.#former = this.#following;
      this.#early = false;
    }
    this.#term = message.term;
    this.#following = message.from;
    this.#wait();
    this.#follow(message);
  };

  #answer({ from, term, cursor }: Extract<SharedMessage, { readonly sitrep: 'hello' }>): void {
    this.#leader?.answer(from, term, cursor);
    this.#term = Math.max(this.#term, this.#leader?.term ?? 0);
  }

  #follow(message: Exclude<SharedMessage, { readonly sitrep: 'hello' }>): void {
    const { keeper } = this.#parts;
    switch (message.sitrep) {
      case 'lead':
        if (message.place === undefined) this.#early = true;
        // Before an answer there is nothing to ask for: the frames that bring this page up to there come right after it.
        else if (message.to === undefined && !keeper.reaches(message.place)) this.#ask();
        if (message.state !== keeper.state) keeper.connection(message.state);
        return;
      case 'frames':
        if (message.to !== undefined && message.to !== this.#me) return;
        for (const [json, cursor] of message.frames) this.#take(json, cursor, message.to === undefined ? undefined : message.after);
        return;
      case 'diagnostic':
        return keeper.diagnostic(message.diagnostic);
    }
  }

  /** Takes one frame; of an answer to a question `after` that place, if that is known. */
  #take(json: string, cursor: string | undefined, after: string | null | undefined): void {
    const { keeper } = this.#parts;
    let value: unknown;
    try {
      value = JSON.parse(json);
    } catch {
      // Only a page of another version could have sent it.
      return this.#report({ code: 'json', message: 'A frame of the page that has the connection is not JSON; it was skipped.' });
    }
    // Asked before this page was where it is by now, and answered after it: taken, it would begin a second time.
    if (after !== undefined && after !== (keeper.cursor() ?? null) && isSnapshot(value)) return;
    // Holes are never believed here: the leader's answer has none.
    if (keeper.take(value, cursor, json, !this.#early) === 'repair') this.#ask();
  }

  /** Asks the leader for what is missing: now, and not again at once. */
  #ask(): void {
    if (this.#asked !== undefined) {
      this.#again = true;
      return;
    }
    const { clock, keeper } = this.#parts;
    const cursor = keeper.cursor();
    this.#post({ sitrep: 'hello', from: this.#me, term: this.#term, ...(cursor !== undefined && { cursor }) });
    this.#asked = clock.setTimeout(() => {
      this.#asked = undefined;
      const again = this.#again && cursor === keeper.cursor();
      this.#again = false;
      // Nothing has come since: the answer was lost with a leader, or there was nobody yet to give one.
      if (again && !this.#leader) this.#ask();
    }, ASK_SPACING);
    if (this.#patience === undefined) this.#wait();
  }

  /** Waits for the next word of the leader; without one asks, and at last takes the lock by force. */
  #wait(): void {
    const { clock, interval, keeper, random } = this.#parts;
    clock.clearTimeout(this.#patience);
    this.#patience = clock.setTimeout(() => {
      this.#ask();
      // Not all at once: the first one's word is enough for all others.
      this.#patience = clock.setTimeout(
        () => {
          this.#report({ code: 'watchdog', message: 'The page that has the connection does not answer. Taking it over.' });
          keeper.connection('reconnecting');
          this.#stand(true);
          this.#wait();
        },
        interval * (1 + random()),
      );
    }, interval * 2.5);
  }

  #post(message: SharedMessage): void {
    try {
      this.#channel?.postMessage(message);
    } catch (error) {
      this.#report({ code: 'network', message: `The channel took no message: ${String(error)}.` });
    }
  }

  #report(diagnostic: Diagnostic): void {
    this.#parts.keeper.diagnostic(diagnostic);
  }
}

const isSnapshot = (value: unknown): boolean => (value as { type?: unknown } | null)?.type === 'snapshot';
