import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OutputReader } from '../../dist/cli/output/reader.js';
import { toolIn } from '../../dist/cli/output/tools.js';
import type { Said } from '../../src/cli/output/types.ts';

type State = readonly [
  current: number | null,
  total: number | null,
  fraction: number | null,
  unit: string | null,
  message: string | null,
  waiting: boolean,
];

interface Expected {
  readonly command: readonly string[];
  readonly note: string;
  readonly said: readonly State[];
}

const FOLDER = new URL('outputs/', import.meta.url);
const expected = JSON.parse(readFileSync(new URL('expected.json', FOLDER), 'utf8')) as Record<string, Expected>;
const bytesOf = (name: string): Buffer => readFileSync(new URL(`${name}.txt`, FOLDER));

/** Every state the reader went through when the output came in these pieces, looked at after each. */
function statesOf(command: readonly string[], pieces: Iterable<Buffer>): State[] {
  let said: Said = {};
  const states: State[] = [];
  const reader = new OutputReader(command, (more) => (said = { ...said, ...more }), { later: () => () => undefined });
  const note = (): void => {
    const { current = null, total = null, fraction = null, unit = null, message = null, waiting = false } = said;
    const state: State = [current, total, fraction, unit, message, waiting];
    if (JSON.stringify(state) !== JSON.stringify(states.at(-1))) states.push(state);
  };
  const stream = reader.stream();
  for (const piece of pieces) {
    stream.push(piece);
    reader.look();
    note();
  }
  reader.look(true);
  note();
  return states;
}

/** Cut after each line, and before what draws over it. */
function* lines(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] !== 10 && !(bytes[at] === 13 && bytes[at + 1] !== 10)) continue;
    yield bytes.subarray(start, at + 1);
    start = at + 1;
  }
  yield bytes.subarray(start);
}

const amountOf = ([current, total, fraction, unit]: State): string => JSON.stringify([current, total, fraction, unit]);
const NONE = JSON.stringify([null, null, null, null]);
const amounts = (command: readonly string[], text: string): string[] =>
  statesOf(command, lines(Buffer.from(text)))
    .map(amountOf)
    .filter((amount) => amount !== NONE);

describe('what the output of a tool says', () => {
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))) {
    const name = file.slice(0, -4);
    it(`is read from ${name}`, () => {
      const { command, said } = expected[name] ?? assert.fail(`expected.json says nothing of ${name}`);
      const states = statesOf(command, lines(bytesOf(name)));
      if (process.env['RECORD'] === '1') {
        (expected as Record<string, Expected>)[name] = { ...(expected[name] as Expected), said: states };
        writeFileSync(new URL('expected.json', FOLDER), `${JSON.stringify(expected, undefined, 1)}\n`);
        return;
      }
      assert.deepEqual(states, said);
    });

    it(`is the same in the end, and nothing else on the way, however ${name} is cut`, () => {
      const { command, said } = expected[name] as Expected;
      const bytes = bytesOf(name);
      const known = new Set(
        statesOf(
          command,
          Array.from(bytes, (byte) => Buffer.from([byte])),
        ).map(amountOf),
      ).add(NONE);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 40 }), (cuts) => {
          const pieces: Buffer[] = [];
          for (let at = 0, n = 0; at < bytes.length; n += 1) {
            const end = at + (cuts[n % cuts.length] as number);
            pieces.push(bytes.subarray(at, end));
            at = end;
          }
          const states = statesOf(command, pieces);
          assert.deepEqual(states.at(-1), said.at(-1));
          for (const state of states) assert.ok(known.has(amountOf(state)), `${amountOf(state)} is never said`);
        }),
        { numRuns: 15 },
      );
    });
  }

  it('is described for every output, and for nothing that is not there', () => {
    assert.deepEqual(
      Object.keys(expected).sort(),
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.txt'))
        .map((name) => name.slice(0, -4))
        .sort(),
    );
  });
});

/** Lines as they are found in the output of programs. None of them says how far anything is. */
const HOSTILE = [
  '50% faster than before',
  '100% tests passed, 0 tests failed out of 3',
  'coverage 83%',
  'Coverage: 85.71%',
  'Statements   : 85.71% ( 12/14 )',
  'Branches     : 50% ( 1/2 )',
  '85% (12 of 14) of lines covered',
  'All files |   83.33 |    66.66 |     100 |   83.33 |',
  'src/index.ts |  42% | 10/24 |',
  'TOTAL                 120     20    83%',
  'Downloaded 3/10 stars',
  'rated 4/5 by 12 people',
  'add 1/2 cup of sugar',
  '(1/2) cup of sugar',
  '[11/30/2026 10:02:11] backup done',
  'due 11/30',
  '2026/11/30 10:02:11 INFO started',
  'Nov 30 10:02 1/2 of the team agreed',
  '✓ renders page (2/3)',
  'ok 3 - splits [1/2] into parts',
  'PASS src/a.test.ts (3/4 shards)',
  'test "shows 42%" ... ok',
  'expected 42% but got 17%',
  'commit 3f1a0c5d7b0d4c3f8e2a6b9c1d0e5f4a3b2c1d0e',
  'a1b2c3d..e4f5a6b  main -> main (12/14)',
  'CPU 42%',
  'cpu  12.5%  mem 80%',
  'Mem: 80% used',
  'disk usage 91%',
  '/dev/sda1        50G   21G   27G  44% /',
  'Battery: 77%',
  'loss: 12%  accuracy: 88%',
  'packet loss 0%',
  '10 packets transmitted, 10 received, 0% packet loss',
  'context 63% full',
  'Tokens: 12000/200000 (6%)',
  'gzip: saved 71%',
  'hit rate 99.2% (992/1000)',
  'bundle is 12% smaller',
  'sha 1/2/3/4',
  'see RFC 7231 [4/5]',
  'http://example.org/3/10',
  'ratio 3/4',
  'score: 7/10',
  'listening on 0.0.0.0/0',
  '10.0.0.0/8 via 10.1.2.3',
  'width: 50%; height: 100%',
  '[3/0] impossible',
  '[11/10] impossible',
  '(0/0)',
  '-5%',
  '142%',
  '42%',
  '1e400% done',
  '%d% of %s',
  'Progress: resolved',
  '[ERROR] 5/7 checks',
  '24/7 support',
  'Step 3 of 10',
  '9/11',
  'x264 [info]: mb I  I16..4: 27.3% 70.1%  2.5%',
  'Linux 6.1 #1 [1/2] SMP',
];

/** The same, of real tools: what they say of disks, batteries, retries, ratings, versions, addresses and each other. */
const OF_TOOLS = readFileSync(new URL('no-progress.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '');

describe('what is no progress', () => {
  const commands = [
    ['make'],
    ['git'],
    ['curl'],
    ['wget'],
    ['rsync'],
    ['ffmpeg'],
    ['cargo'],
    ['pytest'],
    ['tsc', '-w'],
    ['npm'],
    ['pnpm'],
    ['docker'],
    ['vite'],
    ['jest'],
  ];

  it('gives no amount, line by line and all together, whatever the command is', () => {
    for (const command of commands) {
      for (const line of HOSTILE) assert.deepEqual(amounts(command, `${line}\n`), [], `${command[0]}: ${line}`);
      assert.deepEqual(amounts(command, `${HOSTILE.join('\n')}\n`), [], `${command[0]}: all`);
      assert.deepEqual(amounts(command, `${HOSTILE.toReversed().join('\n')}\n`), [], `${command[0]}: all, the other way round`);
    }
  });

  it('gives none when a tool says it once, again and again, or over itself', () => {
    assert.ok(OF_TOOLS.length > 180);
    for (const command of commands) {
      for (const line of OF_TOOLS) {
        assert.deepEqual(amounts(command, `${line}\n`), [], `${command[0]}: ${line}`);
        assert.deepEqual(amounts(command, `${line}\n${line}\n${line}\n`), [], `${command[0]}, three times: ${line}`);
        assert.deepEqual(amounts(command, `\r${line}\r${line}\r${line}\r\n`), [], `${command[0]}, drawn: ${line}`);
      }
    }
  });

  it('is where a reader or an editor is in its text: on a screen of its own nothing is read, and the last word stays', () => {
    const pager = [8, 13, 40, 77].map((value) => `\r\u001B[7mnotes.txt lines 1-24/300 ${value}%\u001B[27m\u001B[K`).join('');
    const text = `[1/2] write\nbefore\n\u001B[?1049h${pager}~\r\n~\r\n\u001B[?1049l`;
    for (const pieces of [lines(Buffer.from(text)), Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))]) {
      const states = statesOf(['sh'], pieces);
      assert.deepEqual(
        states.map(amountOf).filter((amount) => amount !== NONE),
        [],
      );
      assert.equal(states.at(-1)?.[4], 'before');
    }
    assert.deepEqual(amounts(['sh'], `${text}[2/2] read\n`), [JSON.stringify([2, 2, null, null])]);
    // Back again within a flood of which only the end is looked at.
    const flood = Buffer.from(`\u001B[?1049l${'x\n'.repeat(100_000)}[1/3] a\n[2/3] b\n`);
    assert.equal(
      statesOf(['sh'], [Buffer.from('\u001B[?1049h'), flood])
        .map(amountOf)
        .at(-1),
      JSON.stringify([2, 3, null, null]),
    );
  });

  it('is a number of tries, of faults or of what is up, though it rises', () => {
    for (const word of [
      'retry',
      'Retrying in 2 s',
      'attempt',
      'Error: x',
      'warning: y',
      'failed',
      'replicas',
      'ready',
      'link quality',
      'stars',
    ]) {
      assert.deepEqual(amounts(['make'], `[1/5] ${word}\n[2/5] ${word}\n[3/5] ${word}\n`), [], word);
      if (!/quality|stars/.test(word)) assert.deepEqual(amounts(['make'], `${word} (1/5)\n${word} (2/5)\n${word} (3/5)\n`), [], word);
    }
    for (const word of ['battery', 'coverage of the module', 'CPU0', 'mem:', 'disk /dev/sda1'])
      assert.deepEqual(amounts(['make'], `[ 41%] ${word}\n[ 42%] ${word}\n[ 47%] ${word}\n`), [], word);
  });

  it('gives none when a gauge is drawn over itself', () => {
    for (const label of ['CPU', 'mem', 'battery', 'disk usage', 'GPU util', 'cache hits', 'loss']) {
      const text = [40, 42, 47, 51].map((value) => `${label} ${value}%\r`).join('');
      assert.deepEqual(amounts(['top'], text), [], label);
    }
  });

  it('is taken back when something that rose falls: it is measured, not done', () => {
    const text = [40, 42, 47, 31, 60, 61].map((value) => `level ${value}%\r`).join('');
    assert.equal(
      statesOf(['watcher'], lines(Buffer.from(`${text}\n`)))
        .map(amountOf)
        .at(-1),
      NONE,
    );
    const last = [40, 42, 99, 0, 3].map((value) => `copying ${value}%\r`).join('');
    assert.equal(amounts(['copier'], `${last}\n`).at(-1), JSON.stringify([null, null, 0.03, null]));
  });
});

describe('what any program may say', () => {
  it('is read where it can hardly be anything else', () => {
    for (const [text, amount] of [
      ['[2/10] Compiling b.c\n[3/10] Compiling a.c\n', [3, 10, null, null]],
      ['[ 9/345 ] Linking\n[ 12/345 ] Linking\n', [12, 345, null, null]],
      ['2026-11-30 10:02:11 [1/10] Load\n2026-11-30 10:02:11 [3/10] Compiling cache.c\n', [3, 10, null, null]],
      ['[ 41%] Building C object mem/usage.c\n[ 42%] Building CXX object disk.o\n', [null, null, 0.42, null]],
      ['Progress: [  3%] [#...........]\nProgress: [ 42%] [#####.......]\n', [null, null, 0.42, null]],
      [' 42%|████      | 42/100 [00:01<00:02, 30it/s]\r', [42, 100, null, null]],
      ['Epoch 1:  42%|####      |\r', [null, null, 0.42, null]],
      ['[3/4] almost\n\u001b[32m[4/4]\u001b[0m done\n', [4, 4, null, null]],
      ['\r   ━━━━━━━━━━╸━━━━━━━━━ 1.2/3.4 MB 5.6 MB/s eta 0:00:01\r', [1.2, 3.4, null, 'MB']],
      ['\r[=====>        ] 42%\r', [null, null, 0.42, null]],
      ['\rcopying 41%\rcopying 42%\r', [null, null, 0.42, null]],
      ['10%\n20%\n', [null, null, 0.2, null]],
      ['part one (1/3)\npart two (2/3)\n', [2, 3, null, null]],
      ['Compiling [3/10]\nLinking [4/10]\n', [4, 10, null, null]],
    ] as const) {
      assert.equal(amounts(['make'], `${text}\n`).at(-1), JSON.stringify(amount), text);
    }
  });

  it('is never more than the whole, and no text makes it throw or slow', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '(', '/', '%', ' ', '1', '9', '.', '\u001b', ';', '4', '\r', '\n', '|', '█', '=', 'a: '), {
          maxLength: 3_000,
          size: 'max',
        }),
        (parts) => {
          for (const [current, total, fraction] of statesOf(['make'], [Buffer.from(parts.join(''))])) {
            if (fraction !== null) assert.ok(fraction >= 0 && fraction <= 1);
            if (total !== null) assert.ok(total > 0 && (current as number) <= total);
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is not looked for in bytes that are no text', () => {
    assert.deepEqual(statesOf(['cat'], [Buffer.from([0xff, 0xfe, 0x5b, 0x33, 0x2f, 0x34, 0x5d, 0x0a])]), [
      [null, null, null, null, null, false],
    ]);
  });

  it('costs a bounded amount however much there is, and counting stops where lines were not seen', () => {
    const reader = new OutputReader(['cargo', 'test'], () => undefined, { later: () => () => undefined });
    const stream = reader.stream();
    for (let n = 0; n < 2_000; n += 1) stream.push(Buffer.alloc(65_536, 'x'));
    reader.look();
    const said = statesOf(['cargo', 'test'], [Buffer.from(`running 100000 tests\n${'test a ... ok\n'.repeat(100_000)}`)]);
    assert.deepEqual(said.map(amountOf), [NONE]);
  });
});

describe('the tool of a command', () => {
  it('is found behind what runs it', () => {
    for (const [command, name] of [
      [['/usr/bin/git', 'clone', 'x'], 'git'],
      [['npx', '-y', 'tsc', '-w'], 'tsc'],
      [['sudo', '-E', 'docker', 'pull', 'x'], 'docker'],
      [['env', 'A=b', 'curl', 'x'], 'curl'],
      [['timeout', '10s', 'ffmpeg', '-i', 'x'], 'ffmpeg'],
      [['pnpm', 'exec', 'vite', 'build'], 'vite'],
      [['python3', '-m', 'pytest'], 'pytest'],
      [['uv', 'run', 'pytest'], 'pytest'],
      [['node', 'node_modules/.bin/jest.js'], 'jest'],
      [['npm', 'run', 'build'], 'npm'],
      [['sh', '-c', 'git clone x'], 'sh'],
      [['C:/x/git.exe'], 'git'],
    ] as const) {
      assert.equal(toolIn(command)[0], name, command.join(' '));
    }
  });
});
