import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { http, serve } from '../support.ts';
import { sitrep } from '../cli-support.ts';
import { OutputReader } from '../../dist/cli/output/reader.js';
import type { Said } from '../../src/cli/output/types.ts';

const bar = (state: number, percent?: number): string => `\u001b]9;4;${state}${percent === undefined ? '' : `;${percent}`}\u0007`;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const status = (...pairs: string[]): string => `\u001b]7501;${pairs.join(':')}\u001b\\`;

/** What is said in all after these pieces, and what is said of operations inside the command. */
function read(pieces: readonly (string | Buffer)[], last = false): { readonly said: Said; readonly inner: ProgressEvent[] } {
  let said: Said = {};
  const inner: ProgressEvent[] = [];
  const reader = new OutputReader(['tool'], (more) => (said = { ...said, ...more }), {
    place: { session: 's', id: 'c' },
    emit: (event) => inner.push(event),
    later: () => () => undefined,
  });
  const stream = reader.stream();
  for (const piece of pieces) stream.push(Buffer.from(piece as string));
  reader.look(last);
  return { said, inner };
}

describe('what a program says to its terminal on purpose', () => {
  it('is the bar of OSC 9;4, until it is taken away', () => {
    assert.equal(read([`working ${bar(1, 42)}`]).said.fraction, 0.42);
    assert.equal(read([bar(1, 10), bar(1, 20)]).said.fraction, 0.2);
    for (const end of [bar(0), bar(3)]) assert.equal(read([bar(1, 10), end]).said.fraction, null);
    // Its error is no end: the command goes on until it exits.
    assert.equal(read([bar(1, 60), bar(2)]).said.fraction, 0.6);
    assert.equal(read(['\u001b]9;4;1;900\u0007'.replace('900', 'x')]).said.fraction ?? null, null);
    assert.deepEqual(read(['\u001b]9;some notice\u0007']).said, {});
  });

  it('beats what its lines look like, and says nothing once it is gone', () => {
    assert.deepEqual(((s: Said) => [s.fraction, s.current, s.message])(read([`${bar(1, 42)}[2/10] Loading\n[3/10] Compiling\n`]).said), [
      0.42,
      null,
      '[3/10] Compiling',
    ]);
    const { said } = read([`${bar(1, 42)}[2/10] Loading\n[3/10] Compiling\n`, `${bar(0)}`]);
    assert.deepEqual([said.fraction, said.current], [null, null]);
  });

  it('is found however the bytes are cut, in a flood too', () => {
    const bytes = Buffer.from(
      `“quotes” ünïcode ${bar(1, 42)} text \u001b[31mred\u001b[0m\n${status('state=working', 'progress=73', `msg=${base64('Linking')}`)}`,
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }), (cuts) => {
        const pieces: Buffer[] = [];
        for (let at = 0, n = 0; at < bytes.length; n += 1) {
          const end = at + (cuts[n % cuts.length] as number);
          pieces.push(bytes.subarray(at, end));
          at = end;
        }
        assert.equal(read(pieces).said.fraction, 0.73);
      }),
    );
    const flood = Buffer.alloc(65_536, 'log line\n');
    assert.equal(read([flood, bar(1, 42), flood, flood, flood]).said.fraction, 0.42);
  });

  it('is the record of OSC 7501 at the root: amount, words, and whom it waits for', () => {
    const working = read([status('state=working', 'progress=42', `msg=${base64('Linking')}`)]).said;
    assert.deepEqual([working.fraction, working.message, working.waiting], [0.42, 'Linking', false]);
    const blocked = read([status('state=blocked', 'kind=permission', `msg=${base64('Overwrite?')}`)]).said;
    assert.deepEqual([blocked.blockedOn?.kind, blocked.message], ['permission', 'Overwrite?']);
    assert.equal(read([status('state=idle')]).said.waiting, true);
  });

  it('is operations of their own beneath it, which end with the command at the latest', () => {
    const { inner } = read(
      [status('state=working', 'id=lint', 'progress=50'), status('state=done', 'id=test'), status('state=working', 'id=lint/css')],
      true,
    );
    const shown = inner.map((event) => (event.type === 'operation' ? [event.id, event.parent, event.state, event.fraction] : [event.type]));
    assert.deepEqual(shown, [
      ['c/lint', 'c', 'running', 0.5],
      ['c/test', 'c', 'completed', undefined],
      ['c/lint/css', 'c/lint', 'running', null],
      ['c/lint', undefined, 'interrupted', undefined],
      ['c/lint/css', undefined, 'interrupted', undefined],
    ]);
  });

  it('ends the attempt an operation is in, when one that was over works again', () => {
    const states = ['working', 'done', 'working'].map((state) => status(`state=${state}`, 'id=lint'));
    const { inner } = read(states, true);
    assert.deepEqual(
      inner.map((event) => event.type === 'operation' && [event.state, event.attempt]),
      [
        ['running', undefined],
        ['completed', undefined],
        ['running', 2],
        ['interrupted', 2],
      ],
    );
  });

  it('keeps the characters of a label whole, wherever the bytes are cut', () => {
    const bytes = Buffer.from('\u001b]9;4;1;42;Prüfe “ß”\u0007');
    for (let at = 1; at < bytes.length; at++) assert.equal(read([bytes.subarray(0, at), bytes.subarray(at)]).said.message, 'Prüfe “ß”');
  });

  it('reaches the gateway, and the terminal too', async (t) => {
    const { url } = await serve(t);
    const text = `${bar(1, 30)}${status('state=working', 'id=lint', 'progress=50', `title=${base64('Lint')}`)}${status('state=blocked', 'kind=auth', `msg=${base64('Log in')}`)}`;
    const script = `process.stdout.write(${JSON.stringify(text)}); setTimeout(() => process.exit(), 400)`;
    const { stdout } = await sitrep(t, ['run', '--url', url, '--id', 'c', '--', process.execPath, '-e', script]);
    assert.equal(stdout, text);
    const { operations } = (await http(`${url}/v1/sessions/default`)).body;
    assert.deepEqual(
      operations.map(({ id, parent, state, title }: Record<string, unknown>) => [id, parent, state, id === 'c' ? undefined : title]),
      [
        ['c', undefined, 'completed', undefined],
        ['c/lint', 'c', 'interrupted', 'Lint'],
      ],
    );
  });
});
