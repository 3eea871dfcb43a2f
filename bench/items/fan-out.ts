/** What does one more reader of an event cost the server that sends it? */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Item } from '../item.ts';
import type { FanAnswer, FanOrder } from '../load/fan-out-process.ts';
import { Readers, socketRequest, sseRequest } from '../load/readers.ts';
import { FAN_OUTS } from '../peers/fan-out.ts';
import type { Asks } from '../peers/fan-out.ts';
import type { Metric } from '../report.ts';

const LIMIT = 'raw sockets, one shared chunk';
const OURS = 'ours';
const GATHERED = 'ours, 10 operations, gathered for 100 ms';
/** Events a second that each reader is sent. */
const RATE = 20;
const GATHERED_RATE = 100;

const REQUESTS: Readonly<Record<Asks, { readonly request: string; readonly greeting: string }>> = {
  sse: sseRequest('/'),
  ours: sseRequest('/v1/sessions/bench/stream'),
  'ours-ws': socketRequest('/v1/sessions/bench/socket', 'sitrep.v1'),
  ws: socketRequest('/'),
  graphql: sseRequest(`/?query=${encodeURIComponent('subscription{operation{type id state title current ext{n sent}}}')}`),
};

/** One server in a process of its own. */
class Server {
  readonly name: string;
  readonly #child: ChildProcess;
  #answer: ((answer: FanAnswer) => void) | undefined;
  #ended: (() => void) | undefined;
  /** Number of the next event. */
  next = 0;
  port = 0;
  readonly #started: Promise<FanAnswer>;

  constructor(name: string) {
    this.name = name;
    this.#child = fork(fileURLToPath(new URL('../load/fan-out-process.ts', import.meta.url)), [name], { execArgv: ['--expose-gc'] });
    this.#child.on('message', (answer: FanAnswer) => this.#answer?.(answer));
    this.#child.on('exit', () => this.#ended?.());
    this.#started = this.#next();
  }

  async ready(): Promise<void> {
    this.port = (await this.#started).port;
  }

  ask(order: Omit<FanOrder, 'from'>): Promise<FanAnswer> {
    const answer = this.#next();
    this.#child.send({ ...order, from: this.next } satisfies FanOrder);
    this.next += order.count;
    return answer;
  }

  /** What it has used. */
  look(collect: boolean): Promise<FanAnswer> {
    return this.ask({ count: 0, every: 0, collect });
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #next(): Promise<FanAnswer> {
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#ended = () => reject(new Error(`${this.name} ended`));
    });
  }
}

type Samples = { cpu: number[]; heap: number[]; p99: number[] };

const METRICS: readonly Metric[] = [
  { key: 'cpu', label: 'processor time of one delivery', unit: 'us', better: 'less' },
  { key: 'heap', label: 'heap of an idle reader', unit: 'B', better: 'less' },
  { key: 'p99', label: 'p99 to the reader', unit: 'ms', better: 'less' },
];

/** Starts servers, opens as many readers of each, and lets them publish in turn, round by round. */
async function measure(
  names: readonly string[],
  { clients, rate, count, rounds }: { clients: number; rate: number; count: number; rounds: number },
  progress: (text: string) => void,
): Promise<Record<string, Samples>> {
  const readers = new Readers();
  const servers = names.map((name) => new Server(name));
  const samples: Record<string, Samples> = Object.fromEntries(names.map((name) => [name, { cpu: [], heap: [], p99: [] }]));
  try {
    for (const server of servers) {
      progress(`${server.name}: ${clients} readers`);
      const merged = server.name === GATHERED;
      const asked = REQUESTS[(FAN_OUTS[server.name] as { asks: Asks }).asks];
      await server.ready();
      const open = (group: string, many: number): Promise<unknown> =>
        readers.ask({ do: 'open', group, port: server.port, count: many, merged, ...asked });
      // The first readers warm it up, and then go.
      await open(`${server.name} first`, 50);
      await server.ask({ count: 20, every: 5 });
      await readers.ask({ do: 'close', group: `${server.name} first` });
      const { heap } = await server.look(true);
      await open(server.name, clients);
      await server.ask({ count: 1, every: 0 });
      await readers.ask({ do: 'await', group: server.name, n: server.next - 1, timeout: 60_000 });
      samples[server.name]?.heap.push(((await server.look(true)).heap - heap) / clients);
    }
    for (let round = -1; round < rounds; round += 1) {
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        progress(`round ${round + 1}: ${server.name}`);
        const { cpu } = await server.look(false);
        await server.ask({ count, every: 1_000 / rate });
        const seen = await readers.ask({ do: 'await', group: server.name, n: server.next - 1, timeout: 60_000 });
        const lost = seen.faults + seen.behind + seen.closed + (server.name === GATHERED ? 0 : Math.abs(seen.marks - clients * count));
        if (lost > 0) throw new Error(`${server.name}: ${lost} events were lost, or came twice`);
        if (round < 0) continue;
        // What was still on its way when the last one was published is part of it.
        samples[server.name]?.cpu.push(((await server.look(false)).cpu - cpu) / (clients * count));
        samples[server.name]?.p99.push(seen.p99);
      }
    }
    return samples;
  } finally {
    readers.end();
    for (const server of servers) server.end();
  }
}

export const item: Item = {
  name: 'fan-out',
  about: 'one event, many readers',
  async run({ quick, progress }) {
    const names = Object.keys(FAN_OUTS);
    const gathered = names.filter((name) => name.includes('10 operations'));
    const plain = names.filter((name) => !gathered.includes(name));
    const clients = 1_000;
    // Short and many, so that what else the machine does falls on all of them alike.
    const rounds = quick ? 5 : 15;
    const one = await measure(plain, { clients, rate: RATE, count: 10, rounds }, progress);
    const few = clients / 2;
    const many = await measure(gathered, { clients: few, rate: GATHERED_RATE, count: 100, rounds }, progress);
    const note =
      'Processor time of the server process, per event and reader, with everything it did for it. Every reader checks that nothing is missing.';
    return {
      tables: [
        {
          title: `${clients} readers, ${RATE} events a second each`,
          note,
          metrics: METRICS.slice(0, 1),
          limit: LIMIT,
          ours: [OURS],
          rows: plain.map((name) => ({ name, samples: one[name] as Samples })),
        },
        {
          title: `memory and delay of the same`,
          metrics: METRICS.slice(1),
          ours: [],
          rows: plain.map((name) => ({ name, samples: one[name] as Samples })),
        },
        {
          title: `${few} readers of a session with 10 operations, each moving 10 times a second`,
          note: 'Per event that was published, whether it was sent by itself or with others.',
          metrics: METRICS.slice(0, 1),
          limit: gathered[0],
          ours: [GATHERED],
          rows: gathered.map((name) => ({ name, samples: many[name] as Samples })),
        },
      ],
    };
  },
};
