/** What `sitrep run` costs the command it wraps: its whole time with and without, taken in turn, with its output read by a pipe. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createGateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { turned } from '../harness.ts';
import type { Item } from '../item.ts';
import { TIME, timeRows, type Table } from '../report.ts';

const BIN = fileURLToPath(new URL('../../packages/server/bin/sitrep.js', import.meta.url));
const OURS = 'under sitrep run';
const BARE = 'alone';

interface Work {
  readonly title: string;
  readonly note: string;
  /** The program, given how much of it to do. */
  readonly script: (scale: number) => string;
  /** Bytes it has to write, so that none of them is lost for speed. */
  readonly bytes: (scale: number) => number | undefined;
}

const LINE = 'compiled packages/schema/src/check/text.ts in 12 ms';
const WORKS: readonly Work[] = [
  {
    title: 'a quiet command that computes',
    note: 'A few seconds of arithmetic and one line.',
    script: (scale) => `let x = 0; for (let i = 0; i < ${4e8 * scale}; i++) x = (x * 31 + i) | 0; console.log(x)`,
    bytes: () => undefined,
  },
  {
    title: 'a build: 1,000,000 lines, some work for each',
    note: 'One SHA-256 of 4 KB for each line, as a compiler reads a file.',
    script: (scale) =>
      `const { hash } = require('node:crypto'); const b = Buffer.alloc(4096); for (let n = 0; n < ${1e6 * scale}; n++) { hash('sha256', b); process.stdout.write('[' + (n + 1) + '/${1e6 * scale}] ${LINE}\\n'); }`,
    bytes: () => undefined,
  },
  {
    title: 'a verbose command: 200 MB of log, as fast as it makes it',
    note: 'Lines of their own in pieces of 64 KB, the way buffered programs write.',
    script: (scale) =>
      `let n = 0, size = 0; const end = ${200e6 * scale}; (function more() { while (size < end) { let part = ''; while (part.length < 65536) part += 'line ' + n++ + ' ${LINE}\\n'; size += part.length; if (!process.stdout.write(part)) return process.stdout.once('drain', more); } })()`,
    bytes: () => undefined,
  },
  {
    title: 'the worst: 200 MB that cost nothing to make',
    note: 'One block again and again. All there is to measure is how often the bytes are copied; no tool is like this.',
    script: (scale) =>
      `const b = Buffer.alloc(65536, '${LINE}\\n'); let n = 0; (function more() { while (n < ${Math.round(3052 * scale)}) { n++; if (!process.stdout.write(b)) return process.stdout.once('drain', more); } })()`,
    bytes: (scale) => Math.round(3052 * scale) * 65_536,
  },
];

/** Runs a command to its end and reads all it writes; answers nanoseconds. */
function timed(command: readonly string[], env: NodeJS.ProcessEnv, bytes: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = process.hrtime.bigint();
    const [name = '', ...args] = command;
    const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
    let read = 0;
    child.stdout.on('data', (chunk: Buffer) => (read += chunk.length));
    child.once('error', reject);
    child.once('close', (code) => {
      const time = Number(process.hrtime.bigint() - start);
      if (code !== 0 || (bytes !== undefined && read !== bytes)) reject(new Error(`${name} ended with ${code} after ${read} bytes`));
      else resolve(time);
    });
  });
}

export const item: Item = {
  name: 'run',
  about: 'what sitrep run costs the command it wraps',
  async run({ quick, progress }) {
    const gateway = createGateway({ store: createMemoryStore() });
    const { url } = await gateway.listen({ port: 0 });
    const env = { ...process.env, SITREP_URL: url, SITREP_SESSION: 'bench' };
    const [rounds, scale] = quick ? [3, 0.1] : [7, 1];
    const measured = async (command: readonly string[], bytes?: number): Promise<Record<string, number[]>> => {
      const cases = [
        { name: BARE, command, list: [] as number[] },
        { name: OURS, command: [process.execPath, BIN, 'run', '--', ...command], list: [] as number[] },
      ];
      for (let round = 0; round < rounds; round++) {
        for (const one of turned(cases, round)) one.list.push(await timed(one.command, env, bytes));
      }
      return Object.fromEntries(cases.map(({ name, list }) => [name, list]));
    };
    try {
      const tables: Table[] = [];
      progress('start and end');
      tables.push({
        title: 'start and end of the wrapper: a command that does nothing',
        note: 'Fixed, however long the command takes: two starts of Node beside one, and the last report. The tables below include it.',
        metrics: [TIME],
        limit: BARE,
        ours: [OURS],
        rows: timeRows(await measured([process.execPath, '-e', '0'])),
      });
      for (const { title, note, script, bytes } of WORKS) {
        progress(title);
        const samples = await measured([process.execPath, '-e', script(scale)], bytes(scale));
        tables.push({ title, note, metrics: [TIME], limit: BARE, ours: [OURS], rows: timeRows(samples) });
      }
      return { tables };
    } finally {
      await gateway.close();
    }
  },
};
