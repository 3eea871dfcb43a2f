import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { a2a } from '@sitrep/schema/dialect/a2a';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';

const CONTEXT = { session: 's', at: 1000 };
const zone = process.env['TZ'];

/** The time a dialect reads, and how often it had to leave one out. */
function read(timestamp: unknown): readonly [at: number | undefined, mended: number] {
  const decoded = a2a.decode({ statusUpdate: { taskId: 't', status: { state: 'TASK_STATE_WORKING', timestamp } } }, CONTEXT);
  assert.ok(decoded.ok);
  return [decoded.events[0]?.at, decoded.mended?.length ?? 0];
}

describe('a time of a peer', () => {
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  for (const here of ['UTC', 'America/New_York', 'Asia/Kathmandu']) {
    it(`is the same whatever the clock on the wall says: ${here}`, () => {
      process.env['TZ'] = here;
      const time = Date.UTC(2026, 10, 30, 10, 0, 5, 250);
      for (const text of [
        '2026-11-30T10:00:05.250Z',
        '2026-11-30T10:00:05.250',
        '2026-11-30T10:00:05.250731',
        '2026-11-30T10:00:05.25+00:00',
        '2026-11-30T12:30:05.250+02:30',
        '2026-11-30T04:00:05.250-0600',
      ])
        assert.deepEqual(read(text), [time, 0], text);
      assert.deepEqual(read('2026-11-30T10:00'), [Date.UTC(2026, 10, 30, 10), 0]);
    });
  }
  it('is left out and noted where it is none, or one the wire does not carry', () => {
    for (const text of [
      '',
      '2026-11-30',
      '2026-11-30T10:00:05Z (UTC)',
      '2026-11-30T25:00Z',
      '1969-12-31T23:59:59Z',
      '2101-01-01T00:00Z',
      7,
      {},
    ])
      assert.deepEqual(read(text), [1000, 1], JSON.stringify(text));
  });
  it('goes back as the peer spelled it', () => {
    const params = {
      taskId: 't',
      status: 'working',
      createdAt: '2025-11-25T10:30:00',
      lastUpdatedAt: '2025-11-25T12:30:00+0200',
      ttl: null,
    };
    const frame = { jsonrpc: '2.0', method: 'notifications/tasks/status', params };
    const decoded = createDecoder(mcpTasks, { session: 's' }).decode(frame, 1000);
    assert.ok(decoded.ok && decoded.mended === undefined);
    const encoder = createEncoder(mcpTasks, 's');
    assert.deepEqual(
      decoded.events.flatMap((event) => encoder.encode(event)),
      [frame],
    );
  });
});
