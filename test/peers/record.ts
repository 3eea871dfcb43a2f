import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';

/** What every peer is put through, where it can arise there at all. The key is the row's name in the recorded table. */
export const SCENARIOS = Object.freeze({
  burst: 'A burst of updates in one read with the response',
  late: 'Updates after the final state',
  amounts: 'Repeated and falling amounts',
  concurrent: 'Two identical calls at once',
  nested: 'Calls nested three deep',
  'cancel-completed': 'A cancel, then a completion',
  denied: 'A call that was not allowed',
  'unknown-state': 'A state of a newer peer',
  silence: 'A call that reports nothing',
  'resume-cursor': 'A reconnect with a cursor',
  'resume-none': 'A reconnect without a cursor',
});

export type Scenario = keyof typeof SCENARIOS;

/** What came through, in a few words each. */
export interface Through {
  /** What was sent. */
  readonly sent: string;
  /** What the peer's own library handed on or showed. */
  readonly peer: string;
  /** What our records show. */
  readonly ours: string;
}

/** A scenario that cannot arise with this peer, and why. */
export interface Absent {
  readonly none: string;
}

/** One peer's rows, as they lie in `came-through/<peer>.json`. */
export interface Recorded {
  /** Package and version. */
  readonly peer: string;
  readonly transport: string;
  readonly rows: Readonly<Record<string, Through | Absent>>;
}

const FOLDER = new URL('came-through/', import.meta.url);

/**
 * Holds what a run saw against what is recorded. With RECORD=1 in the environment the rows are written instead, to be
 * read over before they are committed. A row must be the same on every run: counts that vary are written as a range or
 * left out.
 */
export function recorder(file: string, head: Pick<Recorded, 'peer' | 'transport'>): (scenario: Scenario, row: Through | Absent) => void {
  const path = new URL(`${file}.json`, FOLDER);
  return (scenario, row) => {
    if (process.env['RECORD'] !== '1') {
      const recorded = JSON.parse(readFileSync(path, 'utf8')) as Recorded;
      assert.deepEqual({ peer: recorded.peer, transport: recorded.transport }, head);
      assert.deepEqual(recorded.rows[scenario], row, `${file}: ${scenario}`);
      return;
    }
    const before = existing(path);
    const rows = Object.fromEntries(
      Object.keys(SCENARIOS).flatMap((name) => {
        const each = name === scenario ? row : before[name];
        return each === undefined ? [] : [[name, each]];
      }),
    );
    writeFileSync(path, `${JSON.stringify({ ...head, rows }, undefined, 2)}\n`);
  };
}

function existing(path: URL): Recorded['rows'] {
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as Recorded).rows;
  } catch {
    return {};
  }
}
