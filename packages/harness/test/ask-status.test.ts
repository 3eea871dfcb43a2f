import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { askStatus } from '@sitrep/harness/terminal';
import type { TerminalInput } from '@sitrep/harness/terminal';
import { ManualClock, settle } from './support/manual-clock.ts';

class Input extends EventEmitter<{ data: [string | Uint8Array] }> implements TerminalInput {
  isTTY = true;
  isRaw = false;
  readableFlowing: boolean | null = null;
  readonly back: (string | Uint8Array)[] = [];
  paused = 0;
  setRawMode(on: boolean): void {
    this.isRaw = on;
  }
  pause(): void {
    this.paused += 1;
  }
  unshift(chunk: string | Uint8Array): void {
    this.back.push(chunk);
  }
}

function ask(input = new Input(), isTTY = true) {
  const clock = new ManualClock();
  const written: string[] = [];
  const answer = askStatus({ input, output: { isTTY, write: (text: string) => written.push(text) }, clock });
  return { input, clock, written, answer };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('asking a terminal whether it reads program status', () => {
  it('asks once, with a question every terminal answers behind it', async () => {
    const { input, written, answer, clock } = ask();
    assert.deepEqual(written, ['\u001b]7501;?\u001b\\\u001b[c']);
    assert.equal(input.isRaw, true);
    input.emit('data', bytes('\u001b]7501;?\u0007'));
    input.emit('data', bytes('\u001b[?62;4c'));
    assert.equal(await answer, true);
    assert.deepEqual([input.isRaw, input.paused, input.listenerCount('data'), input.back.length], [false, 1, 0, 0]);
    assert.deepEqual(clock.pending, []);
  });

  it('is no where only the other question is answered, and where nothing is in time', async () => {
    const other = ask();
    other.input.emit('data', bytes('\u001b[?1;2c'));
    assert.equal(await other.answer, false);
    const mute = ask();
    mute.clock.advance(300);
    await settle();
    assert.equal(await mute.answer, false);
    assert.equal(mute.input.isRaw, false);
  });

  it('is no where the terminal cannot be written to, and leaves it as it was', async () => {
    const input = new Input();
    const clock = new ManualClock();
    const output = {
      isTTY: true,
      write: (): never => {
        throw new Error('EIO');
      },
    };
    assert.equal(await askStatus({ input, output, clock }), false);
    assert.deepEqual([input.isRaw, input.listenerCount('data'), clock.pending.length], [false, 0, 0]);
  });

  it('reads answers that come in pieces, and puts back what was typed, byte by byte', async () => {
    const { input, answer } = ask();
    for (const byte of bytes('é\u001b]7501;?\u001b\\x\u001b[?6c')) input.emit('data', Uint8Array.of(byte));
    assert.equal(await answer, true);
    assert.deepEqual(input.back, [bytes('éx')]);
  });

  it('leaves an input that somebody reads flowing, and raw where it was', async () => {
    const input = new Input();
    input.isRaw = true;
    input.readableFlowing = true;
    const { answer } = ask(input);
    input.emit('data', '\u001b[?6c');
    assert.equal(await answer, false);
    assert.deepEqual([input.isRaw, input.paused], [true, 0]);
  });

  it('gives up on an input that floods, and asks none that is no terminal', async () => {
    const flood = ask();
    flood.input.emit('data', 'x'.repeat(5000));
    assert.equal(await flood.answer, false);
    const piped = ask(Object.assign(new Input(), { isTTY: false }));
    assert.equal(await piped.answer, false);
    assert.deepEqual(piped.written, []);
    const redirected = ask(new Input(), false);
    assert.equal(await redirected.answer, false);
  });
});
