/**
 * A process full of readers, driven by messages: bare sockets that ask for a stream and look for nothing but the marks in it, so that
 * hundreds of thousands of events a second can be checked beside what is measured.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Histogram } from './histogram.ts';
import { MarkReader, steadyNow } from './marks.ts';

/** Opens readers of one address, in a group of their own. */
export interface OpenReaders {
  readonly do: 'open';
  readonly group: string;
  readonly port: number;
  /** What each sends first. */
  readonly request: string;
  readonly count: number;
  /** True when of an operation's events only the newest may come. */
  readonly merged: boolean;
  /** True for readers that do not read a byte. */
  readonly paused?: boolean | undefined;
  /** Its first bytes: the rest is not looked at until they came. */
  readonly greeting: string;
}

/** Answers once every reader of a group has seen this event. */
export interface AwaitReaders {
  readonly do: 'await';
  readonly group: string;
  readonly n: number;
  /** Milliseconds after which it answers all the same. */
  readonly timeout: number;
}

export interface CloseReaders {
  readonly do: 'close';
  readonly group: string;
}

export type Order = (OpenReaders | AwaitReaders | CloseReaders) & { readonly token: number };

/** What became of the readers of a group since they were last asked. */
export interface Seen {
  readonly token: number;
  /** Marks that were read. */
  readonly marks: number;
  /** Events that did not come, or came twice or out of order. */
  readonly faults: number;
  /** Readers that have not seen what was waited for. */
  readonly behind: number;
  readonly closed: number;
  readonly p50: number;
  readonly p99: number;
}

interface Reader {
  readonly socket: Socket;
  last: number;
}

/** Connections begun at once: more than a listener's queue takes would be refused. */
const AT_ONCE = 100;

class Group {
  readonly readers: Reader[] = [];
  readonly times = new Histogram();
  marks = 0;
  faults = 0;
  closed = 0;
  #wanted = Infinity;
  #behind = 0;
  #wake: (() => void) | undefined;

  async open({ port, request, count, merged, paused, greeting }: OpenReaders): Promise<void> {
    for (let from = 0; from < count; from += AT_ONCE) {
      const batch = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, k) => from + k);
      await Promise.all(batch.map((n) => this.#begin(n, port, request, merged, paused === true, greeting)));
    }
  }

  /** Resolves when all readers have seen an event, or when the time is up. */
  async seen(n: number, timeout: number): Promise<void> {
    this.#wanted = n;
    this.#behind = this.readers.filter(({ last }) => last < n).length;
    if (this.#behind === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeout);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
    this.#wanted = Infinity;
  }

  take(token: number): Seen {
    const { marks, faults, closed, times } = this;
    const answer = { token, marks, faults, closed, behind: this.#behind, p50: times.at(0.5), p99: times.at(0.99) };
    this.marks = this.faults = 0;
    times.clear();
    return answer;
  }

  close(): void {
    for (const { socket } of this.readers) socket.destroy();
    this.readers.length = 0;
  }

  #begin(n: number, port: number, request: string, merged: boolean, paused: boolean, greeting: string): Promise<void> {
    return new Promise((resolve, reject) => {
      // A loopback address of its own for each ten thousand: ports are counted per pair of addresses.
      const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${1 + Math.floor(n / 10_000)}`, noDelay: true });
      const reader: Reader = { socket, last: -1 };
      const marks = new MarkReader((at, sent) => this.#mark(reader, at, sent, merged));
      let head: string | undefined = '';
      socket.on('connect', () => socket.write(request));
      socket.on('error', reject);
      socket.on('close', () => (this.closed += 1));
      socket.on('data', (chunk: Buffer) => {
        if (head === undefined) return marks.take(chunk);
        head += chunk.toString('latin1');
        if (!head.includes(greeting)) return;
        if (!/^HTTP\/1\.1 (200|101)/.test(head)) return reject(new Error(`a reader was answered ${head.slice(0, 200)}`));
        head = undefined;
        this.readers.push(reader);
        if (paused) socket.pause();
        resolve();
      });
    });
  }

  #mark(reader: Reader, n: number, sent: number, merged: boolean): void {
    this.marks += 1;
    this.times.add(steadyNow() - sent);
    if (reader.last >= 0 && !merged && n !== reader.last + 1) this.faults += 1;
    const before = reader.last;
    if (n > before) reader.last = n;
    if (before < this.#wanted && reader.last >= this.#wanted) {
      this.#behind -= 1;
      if (this.#behind === 0) this.#wake?.();
    }
  }
}

const groups = new Map<string, Group>();

async function obey(order: Order): Promise<void> {
  const { group: name, token } = order;
  const group = groups.get(name) ?? new Group();
  groups.set(name, group);
  if (order.do === 'open') await group.open(order);
  else if (order.do === 'await') await group.seen(order.n, order.timeout);
  else {
    group.close();
    groups.delete(name);
  }
  process.send?.(group.take(token));
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
