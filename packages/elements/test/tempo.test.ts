import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Operation } from '@sitrep/schema';
import { Tempo } from '../src/tool-progress/tempo.ts';

const START = 1_760_000_000_000;
const MIB = 1024 * 1024;
const base: Operation = { id: 'a', attempt: 1, state: 'running', updatedAt: START, unit: 'bytes', total: 256 * MIB };
const english = { locale: 'en' };

/** Shows a tempo a sequence of [milliseconds, amount] and answers what it says after each. */
function said(
  tempo: Tempo,
  samples: readonly (readonly [ms: number, current: number])[],
  over: Partial<Operation> = {},
  skew = 0,
): readonly string[] {
  return samples.map(([ms, current]) =>
    tempo.words({ ...base, updatedAt: START + ms, current, ...over }, START + ms + skew, english).join(' · '),
  );
}

/** A download as one was seen: a slow start, then about 3.2 MiB/s with the jitter of a network. */
const DOWNLOAD = [
  [0, 0],
  [310, 0.4],
  [640, 1.3],
  [1_010, 2.6],
  [1_500, 4.2],
  [2_020, 5.7],
  [2_480, 7.4],
  [3_050, 9.1],
  [3_490, 10.6],
  [4_000, 12.3],
  [4_520, 13.8],
  [5_010, 15.5],
].map(([ms, mib]) => [ms!, mib! * MIB] as const);

/** A compiler that reports whole packages: nothing for a while, then many at once. */
const BURSTS = [
  [0, 0],
  [400, 1],
  [700, 40],
  [6_000, 41],
  [6_200, 120],
  [13_000, 121],
  [13_100, 260],
] as const;

describe('tempo', () => {
  it('says nothing until a steady download can be relied on, then its rate and what is left', () => {
    const words = said(new Tempo(), DOWNLOAD);
    assert.deepEqual(words.slice(0, 4), ['', '', '', '']);
    assert.match(words.at(-1)!, /^3\.\d MiB\/s · about 1 min left$|^3\.\d MiB\/s · about 2 min left$/);
  });

  it('says nothing of work that comes in bursts', () => {
    for (const words of said(new Tempo(), BURSTS, { unit: 'files', total: 400 })) assert.equal(words, '');
  });

  it('takes back what it said once the amount no longer moves', () => {
    const tempo = new Tempo();
    said(tempo, DOWNLOAD);
    const last = { ...base, updatedAt: START + 5_010, current: 15.5 * MIB };
    assert.notEqual(tempo.words(last, START + 6_000, english).length, 0);
    assert.deepEqual(tempo.words(last, START + 15_000, english), []);
  });

  it('measures by the clock of who counts, however far that is from the reader’s', () => {
    for (const skew of [-3_600_000, 3_600_000]) assert.match(said(new Tempo(), DOWNLOAD, {}, skew).at(-1)!, /MiB\/s/);
  });

  it('begins afresh with another operation, another attempt, after a pause, and when the amount falls', () => {
    const after = (over: Partial<Operation>): string => {
      const tempo = new Tempo();
      said(tempo, DOWNLOAD);
      return said(tempo, [[5_500, 17 * MIB]], over)[0]!;
    };
    assert.notEqual(after({}), '');
    assert.equal(after({ id: 'b' }), '');
    assert.equal(after({ attempt: 2 }), '');
    assert.equal(after({ state: 'paused' }), '');
    const paused = new Tempo();
    said(paused, DOWNLOAD);
    said(paused, [[5_500, 17 * MIB]], { state: 'waiting' });
    assert.equal(said(paused, [[60_000, 18 * MIB]])[0], '');
    const fell = new Tempo();
    said(fell, DOWNLOAD);
    assert.equal(said(fell, [[5_500, 2 * MIB]])[0], '');
  });

  it('has no rate where only a part is known, and no time left where the total is not', () => {
    const part = said(
      new Tempo(),
      DOWNLOAD.map(([ms]) => [ms, 0] as const),
      { unit: 'files' },
    );
    assert.equal(part.at(-1), '');
    const tempo = new Tempo();
    const fractions = DOWNLOAD.map(([ms]) =>
      tempo.words({ id: 'a', attempt: 1, state: 'running', updatedAt: START + ms, fraction: ms / 20_000 }, START + ms, english),
    );
    assert.deepEqual(fractions.at(-1), ['about 15 sec left']);
    const open = new Tempo();
    const rates = DOWNLOAD.map(([ms, current]) =>
      open.words({ id: 'a', attempt: 1, state: 'running', updatedAt: START + ms, current, unit: 'bytes' }, START + ms, english),
    );
    assert.match(rates.at(-1)!.join(), /^3\.\d MiB\/s$/);
  });

  it('is over when everything is counted', () => {
    const tempo = new Tempo();
    said(tempo, DOWNLOAD);
    assert.deepEqual(tempo.words({ ...base, updatedAt: START + 5_500, current: 256 * MIB }, START + 5_500, english), []);
  });

  it('writes as the reader does', () => {
    const tempo = new Tempo();
    said(tempo, DOWNLOAD);
    const [rate] = tempo.words({ ...base, updatedAt: START + 5_500, current: 17.1 * MIB }, START + 5_500, { locale: 'de' });
    assert.match(rate!, /^3,\d MiB\/s$/);
  });
});
