import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { dialects } from '@sitrep/schema/dialect';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

/** Streams, and the frame from which on their turn has begun and nobody else's is under way. */
const STREAMS: readonly (readonly [dialect: keyof typeof dialects, file: string, from: number])[] = [
  ['claude', 'h08-same-tool-twice', 2],
  ['claude', 'h09-subagents', 2],
  ['claude', 'tool-calls', 2],
  ['claude', 'hook-messages', 2],
  ['claude', 'older-run-is-late', 0],
  ['claude', 'hooks-tasks', 0],
  ['claude', 'hooks-of-codex', 0],
  ['codex', 'recorded-turn', 4],
  ['codex', 'recorded-agent', 5],
  ['codex', 'recorded-interrupt', 0],
  ['codex', 'recorded-approval', 6],
  ['codex', 'recorded-declined', 4],
  ['codex', 'requests', 1],
  ['codex', 'goal-cleared', 1],
  ['codex-exec', 'recorded-turn', 3],
  ['codex-exec', 'h08-same-command-twice', 2],
  ['opencode', 'recorded-ask', 6],
  ['opencode', 'recorded-reject', 6],
  ['opencode', 'recorded-retry', 6],
  ['opencode', 'h10-recorded-abort', 7],
  ['opencode', 'h09-nested-subagents', 3],
  ['opencode', 'requests', 2],
  ['opencode', 'retry', 2],
  ['openai-responses', 'client-calls', 1],
  ['openai-responses', 'hosted-calls', 1],
  ['openai-responses', 'approvals', 0],
  ['chatkit', 'line', 0],
];

function framesOf(dialect: string, file: string): readonly unknown[] {
  const name = file === 'recorded-interrupt' ? 'h10-recorded-interrupt' : file;
  return (JSON.parse(readFileSync(new URL(`${dialect}/${name}.json`, FIXTURES), 'utf8')) as { input: readonly unknown[] }).input;
}

/** What a stream leads to when its reader is another from the frame `cut` on, which knows the session alone. */
function readTo(dialect: Dialect<unknown>, frames: readonly unknown[], cut: number) {
  const index = new SessionIndex('chat-1');
  const reader = () => createDecoder(dialect, { session: 'chat-1', held: index, revision: index.card.revision });
  let decoder = reader();
  for (const [at, frame] of frames.entries()) {
    if (at === cut) decoder = reader();
    const decoded = decoder.decode(frame, 1000 + at);
    if (decoded.ok) for (const event of decoded.events) index.apply(event);
  }
  return {
    operations: [...index.operations.values()].map(({ id, run, state, attempt, parent }) => [id, run, state, attempt, parent]),
    runs: [...index.runs.values()].map(({ run, state }) => [run, state]),
    card: index.card.card,
    usage: index.usage,
  };
}

describe('a reader that begins in the middle of a stream and knows the session', () => {
  for (const [name, file, from] of STREAMS) {
    it(`${name}: leads to what one does that read it all: ${file}`, () => {
      const dialect = dialects[name] as Dialect<unknown>;
      const frames = framesOf(name, file);
      const whole = readTo(dialect, frames, -1);
      for (let cut = from; cut < frames.length; cut++) assert.deepEqual(readTo(dialect, frames, cut), whole, `cut at ${cut}`);
    });
  }
});

describe('a hook that tells of the end of a program', () => {
  const hook = (name: string, more: object = {}) => ({ hook_event_name: name, session_id: 'session-1', ...more });
  const agent = { agent_id: 'agent-1', agent_type: 'general-purpose' };
  const read = (session: string) => {
    const index = new SessionIndex(session);
    for (const frame of [hook('SubagentStart', agent), hook('SessionEnd', { reason: 'other' })]) {
      const decoded = createDecoder(dialects.claude as Dialect<unknown>, { session, held: index }).decode(frame, 1000);
      if (decoded.ok) for (const event of decoded.events) index.apply(event);
    }
    return index.find('agent-1')?.state;
  };

  it('ends agents that began before the reader, in the session that is the program alone', () => {
    assert.equal(read('session-1'), 'interrupted');
  });

  it('leaves alone what may be of another program', () => {
    assert.equal(read('board'), 'running');
  });
});
