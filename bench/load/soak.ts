/** Readers that come and go for minutes: what does a gateway keep of those that left? */
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { GatewayProcess } from './gateway-process.ts';
import { fill, FILLED, publish, sessionName } from './publisher.ts';
import { limitsFor, wait } from './run.ts';
import type { Load } from './run.ts';

export interface Soak extends Load {
  readonly minutes: number;
}

/** Milliseconds between two looks. */
const LOOK_MS = 10_000;
/** A reader stays between nothing and this, milliseconds. */
const STAY_MS = 10_000;
/** Share of the time that is not counted: engines warm up. */
const WARM = 0.3;

/** One place that is always taken by some reader; each new one goes on where the last one stopped. */
class Place {
  readonly #port: number;
  readonly #session: string;
  readonly #faults: (message: string) => void;
  #socket: Socket | undefined;
  #epoch = '';
  #seq = -1;
  #rest = '';
  #timer: NodeJS.Timeout | undefined;
  opened = 0;

  constructor(port: number, session: string, faults: (message: string) => void) {
    this.#port = port;
    this.#session = session;
    this.#faults = faults;
    this.#open();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#socket?.destroy();
  }

  #open(): void {
    this.opened += 1;
    this.#rest = '';
    const socket = (this.#socket = connect(this.#port, '127.0.0.1'));
    const cursor = this.#seq < 0 ? '' : `Last-Event-ID: ${this.#epoch}:${this.#seq}\r\n`;
    socket.on('connect', () => socket.write(`GET /v1/sessions/${this.#session}/stream HTTP/1.1\r\nHost: localhost\r\n${cursor}\r\n`));
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => this.#read(chunk.toString('latin1')));
    this.#timer = setTimeout(() => {
      // Half of them say goodbye, the others are gone.
      if (Math.random() < 0.5) socket.end();
      socket.destroy();
      this.#open();
    }, Math.random() * STAY_MS);
  }

  #read(text: string): void {
    const whole = this.#rest + text;
    const end = whole.lastIndexOf('\n\n') + 2;
    for (const [, epoch = '', digits, type] of whole.slice(0, end).matchAll(/id: ([\w-]+):(\d+)\nevent: (\w+)/g)) {
      const seq = Number(digits);
      const next = epoch === this.#epoch && seq === this.#seq + 1;
      if (!next && type !== 'snapshot') this.#faults(`${this.#session}: ${type} ${seq} after ${this.#seq}`);
      if (type === 'snapshot' && epoch === this.#epoch && seq < this.#seq)
        this.#faults(`${this.#session}: back to ${seq} from ${this.#seq}`);
      this.#epoch = epoch;
      this.#seq = seq;
    }
    this.#rest = whole.slice(Math.max(0, end));
  }
}

/** Runs a soak; true when nothing was lost, the heap stays and every handle is given back. */
export async function runSoak(soak: Soak, print: (line: string) => void): Promise<boolean> {
  const { clients, sessions, rate, minutes, flushMs, operations } = soak;
  const gateway = await GatewayProcess.start(soak.store, [...limitsFor(clients * 2, flushMs)]);
  const faults: string[] = [];
  try {
    const { port } = gateway;
    // As much history as a session keeps: what comes later takes the place of what goes.
    for (let session = 0; session < sessions; session += 1) await fill(port, session, operations);
    let last = FILLED;
    await wait(6_000);
    const base = await gateway.used(true);
    print(`${clients} clients that come and go for ${minutes} minutes; ${sessions} sessions, ${rate} events/s each`);
    const places = Array.from({ length: clients }, (_, n) => new Place(port, sessionName(n % sessions), (fault) => faults.push(fault)));
    const samples: { readonly minute: number; readonly heap: number }[] = [];
    const began = performance.now();
    while (performance.now() - began < minutes * 60_000) {
      last = await publish({ port, sessions, rate, seconds: LOOK_MS / 1_000, operations, from: last + 1 });
      const { heap, resident, handles } = await gateway.used(true);
      const minute = (performance.now() - began) / 60_000;
      samples.push({ minute, heap });
      print(`  ${minute.toFixed(1)} min: heap ${mb(heap)}, resident ${mb(resident)}, ${handles} handles, ${opened(places)} readers so far`);
    }
    for (const place of places) place.close();
    await wait(8_000);
    const rest = await gateway.used(true);
    const slope = slopeOf(samples.filter(({ minute }) => minute >= minutes * WARM));
    print(`  heap slope ${(slope / 1e6).toFixed(3)} MB a minute after the first ${(minutes * WARM).toFixed(1)} minutes`);
    print(`  handles before ${base.handles}, after ${rest.handles}; heap before ${mb(base.heap)}, after ${mb(rest.heap)}`);
    print(
      `  ${opened(places)} readers, ${faults.length} gaps, repeats or steps back${faults.length > 0 ? `: ${faults.slice(0, 3).join('; ')}` : ''}`,
    );
    return faults.length === 0 && slope < 1e6 && rest.handles <= base.handles;
  } finally {
    await gateway.stop();
  }
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
const opened = (places: readonly Place[]): number => places.reduce((sum, place) => sum + place.opened, 0);

/** Bytes a minute, by least squares. */
function slopeOf(samples: readonly { readonly minute: number; readonly heap: number }[]): number {
  const { length } = samples;
  const x = samples.reduce((sum, { minute }) => sum + minute, 0) / length;
  const y = samples.reduce((sum, { heap }) => sum + heap, 0) / length;
  const over = samples.reduce((sum, { minute, heap }) => sum + (minute - x) * (heap - y), 0);
  return over / samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0);
}
