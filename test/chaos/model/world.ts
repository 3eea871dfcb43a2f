import { isDeepStrictEqual } from 'node:util';
import { createHistory, createRelay, createStore } from '@sitrep/client';
import type { History, SessionView, Store as ReaderStore } from '@sitrep/client';
import { Coalescer } from '@sitrep/schema/reduce';
import { GatewayCore } from '../../../packages/server/dist/gateway/gateway.js';
import { READERS } from './commands.ts';
import type { Command, Script } from './commands.ts';
import { Kept } from './kept.ts';
import { Link } from './link.ts';
import { Time } from './clock.ts';
import { Truth } from './truth.ts';
import { Writers } from './writers.ts';

const SESSION = 's';
const HEARTBEAT_MS = 1_000;
/** What a network that is whole again may take to show the truth, milliseconds of the world's time. */
const PATIENCE_MS = 30_000;

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One store that is looked at after every frame, or, when it holds updates back, now and then. */
interface Shown {
  readonly name: string;
  readonly store: ReaderStore;
  readonly history: History | undefined;
  readonly eager: boolean;
  leave: (() => void) | undefined;
  last: SessionView | undefined;
}

/** What a world counts. */
export interface Counts {
  commands: number;
  /** Events committed. */
  events: number;
  /** Views compared with what was true where they stand. */
  views: number;
  /** Requests and card writes that were answered. */
  acknowledged: number;
  /** Milliseconds of the world's time until everybody showed the truth, once all was whole again. */
  healedMs: number;
}

/**
 * Producers, a gateway, its store, and readers, all of them the real ones but for the network between them, which loses,
 * doubles, turns round and cuts. Everything shown is compared with what was true at the place where it says to be.
 */
export class World {
  readonly counts: Counts = { commands: 0, events: 0, views: 0, acknowledged: 0, healedMs: 0 };
  readonly #time = new Time();
  readonly #truth = new Truth();
  readonly #kept = new Kept((change, before) => {
    try {
      if (change.session === SESSION) this.#truth.committed(change, before);
    } catch (error) {
      // To the gateway it would look like a store that failed.
      this.#fault ??= error as Error;
    }
  });
  #life!: { readonly gateway: GatewayCore; kill(): void };
  readonly #links: readonly Link[];
  readonly #shown: readonly Shown[];
  readonly #operationLimit: number | undefined;
  readonly #flushMs: number | undefined;
  #lives = 0;
  readonly #writers: Writers;
  #fault: Error | undefined;

  constructor({ operationLimit, flushMs }: Pick<Script, 'operationLimit' | 'flushMs'>) {
    this.#operationLimit = operationLimit;
    this.#flushMs = flushMs;
    this.#begin();
    // Where operations have to leave, the log holds more than what was sent.
    const exact = operationLimit === undefined;
    this.#writers = new Writers({ session: SESSION, gateway: () => this.#life.gateway, truth: this.#truth, exact });
    const net = { time: this.#time, session: SESSION, gateway: () => this.#life.gateway, delivered: () => this.#look() };
    this.#links = Array.from({ length: READERS }, () => new Link(net));
    const [plain, coalescing, relayed] = this.#links as [Link, Link, Link];
    const clock = this.#time.reader;
    const relay = createRelay({ source: relayed, clock, linger: 0, maxEvents: 10 });
    const show = (name: string, source: Link | typeof relay, lazy: boolean): Shown => {
      const history = lazy ? createHistory({ maxEvents: 16 }) : undefined;
      const coalesce = lazy ? (session: string): Coalescer => new Coalescer(session) : undefined;
      const store = createStore({ source, clock, linger: 0, session: SESSION, history, coalesce });
      return { name, store, history, eager: !lazy, leave: store.subscribe(() => undefined), last: undefined };
    };
    this.#shown = [
      show('a store', plain, false),
      show('a store that holds back', coalescing, true),
      show('a store behind a relay', relay, false),
      show('a store behind a relay that holds back', relay, true),
    ];
  }

  /** Does all of it, heals everything, and waits for the truth. Throws for whatever was not true. */
  async run(commands: readonly Command[]): Promise<void> {
    try {
      for (const command of commands) {
        this.counts.commands += 1;
        const done = this.#do(command);
        if (done !== undefined) await done;
        this.#assertRight();
      }
      await this.#heal();
    } finally {
      for (const { store } of this.#shown) store.close();
      this.#life.kill();
      this.counts.events = this.#truth.events;
      this.counts.acknowledged = this.#writers.acknowledged;
    }
  }

  #assertRight(): void {
    if (this.#fault) throw this.#fault;
    this.#writers.assertRight();
  }

  #do(command: Command): Promise<void> | void {
    switch (command.do) {
      case 'publish':
        return this.#writers.publish(command.entries, command.key);
      case 'flood':
        return this.#writers.publish(
          Array.from({ length: command.count }, (_, n) => ({ type: 'operation', id: 'flood', state: 'running', current: n })),
        );
      case 'put':
        return this.#writers.put(command.body, command.expects, command.key);
      case 'reset':
        return this.#writers.reset();
      case 'repeat':
        return this.#writers.repeat();
      case 'turn':
        return turn();
      case 'wait':
        return this.#time.pass(command.ms);
      case 'jump':
        return this.#time.jump(command.whose, command.ms);
      case 'deliver':
        return this.#links[command.who]!.deliver(command.count);
      case 'double':
      case 'drop':
      case 'swap':
      case 'late':
        return this.#links[command.who]!.spoil(command.do, command.at);
      case 'cut':
        return this.#links[command.who]!.cut();
      case 'slow':
        return this.#links[command.who]!.slow(command.mark, command.sent);
      case 'look':
        return this.#lookBack(command.who, command.back);
      case 'leave':
        return this.#leave(command.who);
      case 'fail':
        return this.#kept.fail();
      case 'evict':
        return this.#evict();
      case 'backup':
        return this.#kept.backUp(SESSION);
      case 'restart':
        return this.#restart(command.how);
      default:
        command satisfies never;
    }
  }

  #begin(): void {
    const { clock, stop } = this.#time.gateway();
    const { store, kill } = this.#kept.life();
    this.#lives += 1;
    const gateway = new GatewayCore({
      store,
      clock,
      heartbeatMs: HEARTBEAT_MS,
      idleSessions: 1,
      operationLimit: this.#operationLimit,
      flushMs: this.#flushMs,
      log: () => undefined,
    });
    this.#life = {
      gateway,
      kill() {
        kill();
        stop();
      },
    };
  }

  async #restart(how: 'closed' | 'killed' | 'lost' | 'restored'): Promise<void> {
    if (how === 'closed') await this.#life.gateway.close({ end: false });
    this.#life.kill();
    if (how === 'lost') this.#kept.lose();
    if (how === 'restored') {
      const epoch = `restored-${this.#lives}`;
      const backup = await this.#kept.restore(epoch);
      if (backup) this.#truth.continue(backup, epoch);
    }
    if (how === 'lost' || how === 'restored') this.#writers.newHistory();
    this.#begin();
    // What is on its way in a connection that is closed arrives; a dead machine sends no more.
    for (const link of this.#links) {
      if (how === 'closed') link.gone();
      else link.cut();
    }
  }

  async #evict(): Promise<void> {
    this.#writers.newHistory();
    for (const other of ['x', 'y']) await this.#life.gateway.publish(other, [{ type: 'operation', id: 1 }]).catch(() => undefined);
  }

  #leave(who: number): void {
    const shown = this.#shown[who]!;
    if (shown.leave) {
      shown.leave();
      shown.leave = undefined;
    } else shown.leave = shown.store.subscribe(() => undefined);
  }

  /** After a frame. */
  #look(): void {
    for (const shown of this.#shown) if (shown.eager) this.#compare(shown);
  }

  #lookBack(who: number, back: number): void {
    for (const shown of who === READERS - 1 ? this.#shown.slice(who) : [this.#shown[who]!]) {
      this.#compare(shown);
      const { epoch, seq } = shown.store.getSnapshot();
      const past = shown.store.at(seq - back);
      if (epoch === undefined) continue;
      const window = shown.history?.window;
      const inside = window?.epoch === epoch && window.from <= seq - back && back >= 0;
      if (past === undefined && inside) throw new Error(`${shown.name} has ${window.from} to ${window.to} and does not show ${seq - back}`);
      if (past) this.#true(shown, past);
    }
  }

  #compare(shown: Shown): void {
    const view = shown.store.getSnapshot();
    const { last } = shown;
    if (!view.loaded || view === last) return;
    this.#true(shown, view);
    if (last?.epoch === view.epoch && view.seq < last!.seq) throw new Error(`${shown.name} went back from ${last!.seq} to ${view.seq}`);
    // What the gateway stored it had applied: whoever finds it late took something twice, out of turn, or not at all.
    const { late, unknown, invalid } = shown.store.outcomes;
    if (late + unknown + invalid > 0) throw new Error(`${shown.name} dropped ${late} late, ${unknown} unknown, ${invalid} invalid`);
    shown.last = view;
  }

  #true(shown: Shown, view: SessionView): void {
    this.counts.views += 1;
    const difference = this.#truth.differs(view);
    if (difference !== undefined) throw new Error(`${shown.name} shows what was not true: ${difference}`);
  }

  /** From here on nothing goes wrong any more, so everybody has to come to the truth. */
  async #heal(): Promise<void> {
    for (const shown of this.#shown) shown.leave ??= shown.store.subscribe(() => undefined);
    const began = this.#time.now;
    for (;;) {
      await turn();
      for (const link of this.#links) link.deliver(Infinity);
      this.#assertRight();
      const truth = await this.#life.gateway.snapshot(SESSION);
      const behind = this.#shown.filter(({ store }) => {
        const { loaded, epoch, seq } = store.getSnapshot();
        return !loaded || epoch !== truth.epoch || seq !== truth.seq;
      });
      this.counts.healedMs = this.#time.now - began;
      if (behind.length === 0) {
        const stored = [truth.operations, truth.card, truth.revision, truth.runs, truth.title];
        for (const shown of this.#shown) {
          this.#compare(shown);
          const { operations, card, runs, title } = shown.store.getSnapshot();
          const is = [operations, card.card, card.revision, runs, title];
          if (!isDeepStrictEqual(is, stored))
            throw new Error(`${shown.name} ends at ${JSON.stringify(is)}, the gateway at ${JSON.stringify(stored)}`);
        }
        return;
      }
      if (this.counts.healedMs > PATIENCE_MS) {
        const where = behind.map(({ name, store }) => `${name} at ${store.getSnapshot().epoch}:${store.getSnapshot().seq}`).join(', ');
        throw new Error(`after ${PATIENCE_MS} ms without a fault the gateway is at ${truth.epoch}:${truth.seq}, ${where}`);
      }
      this.#time.pass(REDIAL_MS);
    }
  }
}

const REDIAL_MS = 250;
