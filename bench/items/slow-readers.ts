/** What readers that do not read cost the gateway, and the readers beside them. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Item } from '../item.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/sitrep.js', import.meta.url));
const PAUSED = 200;
const HEALTHY = 20;
/** Bytes of the text in one event; one in every four is of another operation. */
const TEXT = 2_000;
/** Events between two posts of which none waits for the other, milliseconds. */
const SPACING = 20;
const ALONE = 'nobody else';
const BESIDE = `beside ${PAUSED} that do not read`;

interface Served {
  readonly child: ChildProcess;
  readonly port: number;
}

function serve(): Promise<Served> {
  return new Promise((resolve, reject) => {
    const limits = ['slowClientMs=3600000', 'heartbeatMs=3600000'].flatMap((limit) => ['--limit', limit]);
    const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--store', 'memory', ...limits], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('the gateway did not start')));
    child.stdout.on('data', (text) => {
      const port = /gateway at http:\/\/127\.0\.0\.1:(\d+)/.exec(String(text))?.[1];
      if (port) resolve({ child, port: Number(port) });
    });
  });
}

/** Resident memory of a process, bytes. */
function resident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

/** A reader; it reads for as long as `read` is given, else not a byte. */
function reader(port: number, read?: (text: string) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('GET /v1/sessions/bench/stream HTTP/1.1\r\nHost: localhost\r\n\r\n');
      resolve(socket);
    });
    socket.on('error', reject);
    if (read) socket.on('data', (chunk) => read(chunk.toString('latin1')));
    else socket.pause();
  });
}

async function post(port: number, events: readonly unknown[]): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions/bench/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  });
  if (answer.status !== 200) throw new Error(`the gateway answered ${answer.status}`);
  await answer.arrayBuffer();
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const item: Item = {
  name: 'slow-readers',
  about: 'readers that do not read, and those beside them',
  async run({ quick, progress }) {
    const { child, port } = await serve();
    const pid = child.pid as number;
    try {
      let n = 0;
      const event = () => ({
        type: 'operation',
        id: n % 4 === 0 ? `other ${n % 200}` : 'x',
        state: 'running',
        message: `at ${(n += 1)} ${performance.now()} `.padEnd(400, 'm'),
        ext: { pad: 'p'.repeat(TEXT) },
      });
      const fill = async (bytes: number): Promise<void> => {
        for (let sent = 0; sent < bytes; sent += 50 * (TEXT + 500)) await post(port, Array.from({ length: 50 }, event));
      };
      let latencies: number[] = [];
      const seen = Array<number>(HEALTHY).fill(0);
      for (let k = 0; k < HEALTHY; k += 1) {
        await reader(port, (text) => {
          const now = performance.now();
          for (const [, number, sent] of text.matchAll(/"message":"at (\d+) ([\d.]+) /g)) {
            latencies.push(now - Number(sent));
            seen[k] = Number(number);
          }
        });
      }
      const measure = async (): Promise<{ p50: number; p99: number }> => {
        latencies = [];
        for (let k = 0; k < (quick ? 100 : 500); k += 1) {
          await post(port, [event()]);
          await wait(SPACING);
        }
        await wait(100);
        const sorted = latencies.toSorted((a, b) => a - b);
        return { p50: sorted[Math.floor(sorted.length * 0.5)] as number, p99: sorted[Math.floor(sorted.length * 0.99)] as number };
      };
      const settled = async (): Promise<void> => {
        await post(port, [event()]);
        while (seen.some((at) => at < n)) await wait(10);
      };
      let before: number | undefined;
      // What the store keeps and what the engine warms up to is not the readers' doing.
      for (let k = 0; k < 5; k += 1) await fill(24e6);
      await settled();
      const samples = { [ALONE]: { p50: [], p99: [], memory: [] }, [BESIDE]: { p50: [], p99: [], memory: [] } } as Record<
        string,
        { p50: number[]; p99: number[]; memory: number[] }
      >;
      for (let round = 0; round < (quick ? 5 : 9); round += 1) {
        progress(`round ${round + 1}`);
        await fill(24e6);
        await settled();
        const alone = await measure();
        const least = resident(pid);
        before ??= least;
        const paused = await Promise.all(Array.from({ length: PAUSED }, () => reader(port)));
        // More than the system takes for a reader that does not read.
        await fill(24e6);
        await settled();
        const beside = await measure();
        const most = resident(pid);
        for (const socket of paused) socket.destroy();
        await wait(500);
        // The process grows by itself too, by what the engine has not given back.
        samples[ALONE]?.memory.push(Math.max(0, least - before));
        samples[ALONE]?.p50.push(alone.p50);
        samples[ALONE]?.p99.push(alone.p99);
        samples[BESIDE]?.p50.push(beside.p50);
        samples[BESIDE]?.p99.push(beside.p99);
        samples[BESIDE]?.memory.push(Math.max(0, most - before));
      }
      return {
        tables: [
          {
            title: `${HEALTHY} readers that read, one event every ${SPACING} ms`,
            note: `Each reader that does not read was sent more than the system takes for it. Memory is what the gateway's process grew by since the first round, for all ${PAUSED}; beside nobody, what is left of it between the rounds.`,
            metrics: [
              { key: 'p50', label: 'from the post to the reader, p50', unit: 'ms', better: 'less' },
              { key: 'p99', label: 'p99', unit: 'ms', better: 'less' },
              { key: 'memory', label: 'memory', unit: 'B', better: 'less' },
            ],
            rows: Object.entries(samples).map(([name, values]) => ({ name, samples: values })),
            limit: ALONE,
            ours: [],
          },
        ],
      };
    } finally {
      child.kill('SIGKILL');
    }
  },
};
