import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OscParser } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { oscProgress } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus, readStatus } from '@sitrep/schema/dialect/osc-status';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';
import { recorder } from './record.ts';

const came = recorder('terminal', { peer: 'a pseudo-terminal of the system', transport: 'script(1)' });
const PROGRAM = fileURLToPath(new URL('terminal/program.ts', import.meta.url));

/** What a terminal was sent while a program ran in it. */
interface Session {
  /** What the bar showed, one after the other: "1;50". */
  readonly bars: string[];
  /** The records as they stood before the program left, and after: path and state. */
  readonly before: ReadonlyMap<string, string>;
  readonly left: ReadonlyMap<string, string>;
  readonly notices: number;
  /** Everything that is no sequence of ours. */
  readonly text: string;
  /** Our records, read from the status alone. */
  readonly ours: string;
}

/** Runs the program in a pseudo-terminal, as a terminal emulator does, and reads what reaches the screen, byte by byte. */
async function inTerminal(scenario: string, how: 'close' | 'interrupt' | 'throw' | 'ask' = 'close', answer = ''): Promise<Session> {
  const command = [process.execPath, PROGRAM, scenario, how].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const decoder = new StringDecoder('utf8');
  const parser = new OscParser();
  const session = {
    bars: [] as string[],
    before: new Map<string, string>(),
    left: new Map<string, string>(),
    notices: 0,
    text: '',
    ours: '',
  };
  const status = createDecoder(oscStatus as Dialect<unknown>, { session: 'chat-1' });
  const index = new SessionIndex('chat-1');
  let isLeaving = false;
  let isInterrupted = false;

  function take(text: string): void {
    for (const piece of parser.push(text)) {
      if (piece.osc === undefined) session.text += piece.text;
      else if (piece.osc.code === 7501 && piece.osc.body === '?') child.stdin.write(answer);
      else if (piece.osc.code === 9) {
        assert.ok(oscProgress.detect(piece.text), JSON.stringify(piece.text));
        session.bars.push(piece.osc.body.slice(2));
      } else if (piece.osc.code === 7501) {
        record(session.left, piece.text);
        const decoded = status.decode(piece.text, 1);
        assert.ok(decoded.ok, JSON.stringify(decoded));
        for (const event of decoded.events) index.apply(event);
        // The first clear is the program leaving: what stood before it is what the person saw.
        isLeaving ||= piece.osc.body.startsWith('state=clear');
        if (!isLeaving) {
          session.before = new Map(session.left);
          session.ours = [...index.operations.values()].map(({ id, state }) => `${id} ${state}`).join('; ');
        }
      } else session.notices += 1;
    }
  }

  child.stdout.on('data', (bytes: Buffer) => {
    for (const byte of bytes) take(decoder.write(Buffer.of(byte)));
    if (how !== 'interrupt' || isInterrupted || !session.text.includes('ready')) return;
    isInterrupted = true;
    child.stdin.write('\u0003');
  });
  await new Promise((resolve) => child.on('close', resolve));
  take(decoder.end());
  return session;
}

function record(records: Map<string, string>, sequence: string): void {
  const read = readStatus(sequence);
  assert.ok(read?.kind === 'report');
  const { id, state } = read.report;
  if (state !== 'clear') records.set(id, state);
  else for (const key of records.keys()) if (id === '' || key === id || key.startsWith(`${id}/`)) records.delete(key);
}

const list = (records: ReadonlyMap<string, string>): string => [...records].map(([id, state]) => `${id || 'root'} ${state}`).join(', ');

describe('a program in a terminal', () => {
  it('shows a burst to its end, and leaves no bar', async () => {
    const { bars, left, text, notices, ours, before } = await inTerminal('burst');
    assert.equal(bars[0], '3;0');
    assert.ok(bars.includes('1;99'));
    assert.equal(bars.at(-1), '0;0');
    assert.ok(
      bars.every((bar, index) => bar !== bars[index - 1]),
      'no bar twice',
    );
    assert.deepEqual([...left], [['', 'done']]);
    assert.equal(text.split('\n').filter((line) => line.includes('sent ✓')).length, 504, 'the text of the program is whole');
    assert.equal(notices, 2, 'title and body of one notice');
    came('burst', {
      sent: '500 updates and the end at once',
      peer: `the bar from 3;0 to 0;0, each percentage once; ${list(before)}; one notice`,
      ours,
    });
  });

  it('does not go back after the end', async () => {
    const { bars, before, ours } = await inTerminal('late');
    assert.deepEqual(bars, ['3;0', '0;0']);
    came('late', { sent: 'running, completed, running', peer: `bars ${bars.join(', ')}; ${list(before)}`, ours });
  });

  it('shows amounts that fall as they are', async () => {
    const { bars, before, ours } = await inTerminal('amounts');
    assert.deepEqual(bars, ['1;50', '1;20', '0;0']);
    came('amounts', { sent: '5, 5, 2 of 10', peer: `bars ${bars.join(', ')}; ${list(before)}`, ours });
  });

  it('has no percentage while two go on, and a record for each', async () => {
    const { bars, before, ours } = await inTerminal('concurrent');
    assert.deepEqual(bars, ['1;50', '3;0', '1;50', '0;0']);
    assert.equal(before.size, 3);
    came('concurrent', {
      sent: 'ids 7 and "7" with the same title; "7" completes',
      peer: `bars ${bars.join(', ')}; ${list(before)}`,
      ours,
    });
  });

  it('shows what is nested below one another, and what needs a person', async () => {
    const { bars, before, notices, ours } = await inTerminal('nested');
    assert.deepEqual(bars, ['3;0', '4;0', '0;0']);
    assert.equal(before.get('run.r1/a/b/c'), 'blocked');
    assert.equal(notices, 2);
    came('nested', {
      sent: 'three operations, one inside the other; the inner one is blocked',
      peer: `bars ${bars.join(', ')}; ${list(before)}; one notice`,
      ours,
    });
  });

  it('is done in spite of a cancel, and idle where it was not allowed', async () => {
    const cancel = await inTerminal('cancel-completed');
    came('cancel-completed', {
      sent: 'running, a request to cancel, completed',
      peer: `bars ${cancel.bars.join(', ')}; ${list(cancel.before)}`,
      ours: cancel.ours,
    });
    const denied = await inTerminal('denied');
    assert.equal(denied.before.get('run.r1/a'), 'idle');
    came('denied', { sent: 'denied', peer: `bars ${denied.bars.join(', ')}; ${list(denied.before)}`, ours: denied.ours });
  });

  it('leaves neither bar nor record behind when Ctrl-C ends it', async () => {
    const { bars, left, ours, before } = await inTerminal('silence', 'interrupt');
    assert.deepEqual(bars, ['3;0', '0;0']);
    assert.deepEqual([...left], [['', 'idle']]);
    came('silence', {
      sent: 'running and nothing more, then Ctrl-C',
      peer: `bars ${bars.join(', ')}; ${list(before)}; afterwards ${list(left)}`,
      ours,
    });
  });

  it('leaves no bar behind when it dies of an error', async () => {
    const { bars, text } = await inTerminal('silence', 'throw');
    assert.deepEqual(bars, ['3;0', '0;0']);
    assert.match(text, /on purpose/);
  });

  it('is asked whether it reads the status, and told it only then', async () => {
    const knows = await inTerminal('denied', 'ask', 'typed\u001b]7501;?\u001b\\\u001b[?62;22c');
    assert.match(knows.text, /status true, raw false/);
    assert.equal(knows.before.get('run.r1/a'), 'idle');
    const other = await inTerminal('denied', 'ask', '\u001b[?1;2c');
    assert.match(other.text, /status false, raw false/);
    assert.equal(other.left.size, 0);
    assert.deepEqual(other.bars, ['2;0', '0;0']);
    const mute = await inTerminal('denied', 'ask');
    assert.match(mute.text, /status false, raw false/);
  });

  it('has nothing to resume and no newer words', () => {
    came('unknown-state', { none: 'a terminal says nothing of states' });
    came('resume-cursor', { none: 'a terminal keeps what it was told last' });
    came('resume-none', { none: 'a program that begins anew reports anew' });
  });
});
