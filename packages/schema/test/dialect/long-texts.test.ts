import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cleanLine, startOf, truncate } from '@sitrep/schema/check';
import { acp } from '@sitrep/schema/dialect/acp';
import { a2a } from '@sitrep/schema/dialect/a2a';
import { mcpProgress } from '@sitrep/schema/dialect/mcp';
import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import type { Dialect } from '@sitrep/schema/dialect';
import { text } from '../check/from-schema.ts';
import { timesTheWork } from '../work.ts';

const CONTEXT = { session: 's', at: 1000 };
const LONGEST = 65_536;

/** Frames in which one text stands where a peer may put any. */
const PLACES: Readonly<Record<string, (long: string) => readonly [Dialect<unknown>, unknown]>> = {
  'the message of MCP progress': (message) => [mcpProgress, { progressToken: 1, progress: 1, message }],
  'the words and the question of a task': (statusMessage) => [
    mcpTasks2026,
    { taskId: 't', status: 'input_required', statusMessage, inputRequests: { a: { params: { message: statusMessage } } } },
  ],
  'the title of a call': (title) => [acp, { sessionUpdate: 'tool_call', toolCallId: 'a', title }],
  'the steps of a plan': (content) => [
    acp,
    { sessionUpdate: 'plan', entries: Array.from({ length: 50 }, () => ({ content, status: 'pending' })) },
  ],
  'the parts of a message': (said) => [
    a2a,
    { task: { id: 't', status: { state: 'TASK_STATE_WORKING', message: { parts: [{ text: said }] } } } },
  ],
};

describe('a text nobody bounded', () => {
  it('is looked at as far as could ever be shown, and no normal text is changed by that', () =>
    fc.assert(
      fc.property(text, fc.nat(4), (part, more) => {
        assert.equal(startOf(part), part);
        // Without the carriage returns, of which the last one counts wherever it stands; and a control string has an end.
        const long = `${part.replaceAll('\r', '')}\u0007${'x'.repeat(600)}`.repeat(150 + more);
        assert.ok(startOf(long).length <= LONGEST);
        assert.equal(truncate(cleanLine(startOf(long)), 500), truncate(cleanLine(long), 500));
      }),
      { numRuns: 300 },
    ));
  it('is not cut within a character', () => {
    const start = startOf(`${'x'.repeat(LONGEST - 1)}🦊`);
    assert.equal(start.length, LONGEST - 1);
    assert.equal(startOf('🦊'.repeat(LONGEST / 2)).length, LONGEST);
  });
  it('is noted where there is more of it than was looked at, also when little of it can be seen', () => {
    const decoded = mcpProgress.decode({ progressToken: 1, progress: 1, message: `Compiling${'\u001b[2m'.repeat(LONGEST)} 4/9` }, CONTEXT);
    assert.ok(decoded.ok && decoded.events[0]?.type === 'operation');
    assert.equal(decoded.events[0].message, 'Compiling');
    assert.deepEqual(
      decoded.mended?.map(({ path, code }) => [path, code]),
      [['/message', 'too_long']],
    );
  });
  it('is cut at its beginning before a sequence or a character, never within', () => {
    const said = (output: string): unknown => {
      const content = [{ type: 'content', content: { type: 'text', text: output } }];
      const decoded = acp.decode({ sessionUpdate: 'tool_call', toolCallId: 'a', title: 'A', status: 'in_progress', content }, CONTEXT);
      assert.ok(decoded.ok && decoded.events[0]?.type === 'operation');
      return decoded.events[0].message;
    };
    for (let cut = 1; cut < 24; cut += 1) {
      const tail = 'x'.repeat(2000 - cut);
      assert.match(String(said(`${'y'.repeat(3000)}\u001b[38;2;10;20;30m${tail}`)), /^y*x+…$/);
      assert.match(String(said(`${'🦊'.repeat(1000)}${tail}`)), /^(?:🦊)*x+…$/u);
    }
  });
  for (const [name, frame] of Object.entries(PLACES)) {
    it(`costs no more than the part that is looked at: ${name}`, () => {
      const reading = (size: number): (() => void) => {
        const [dialect, value] = frame('a\u001b[2m\u200b'.repeat(size));
        return () => assert.ok(dialect.decode(value, CONTEXT).ok);
      };
      reading(1000)();
      const ratio = timesTheWork(reading(700_000), reading(LONGEST / 6), 8);
      assert.ok(ratio < 8, `64 times the text took ${ratio.toFixed(1)} times the work`);
    });
  }
});
