import { createDecoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema';
import { dialects } from '@sitrep/schema/dialect';
import codexAgent from '@sitrep/schema/fixtures/codex/recorded-agent.json' with { type: 'json' };
import codexApproval from '@sitrep/schema/fixtures/codex/recorded-approval.json' with { type: 'json' };
import codexTurn from '@sitrep/schema/fixtures/codex/recorded-turn.json' with { type: 'json' };
import codexExecTurn from '@sitrep/schema/fixtures/codex-exec/recorded-turn.json' with { type: 'json' };
import openCodeAbort from '@sitrep/schema/fixtures/opencode/h10-recorded-abort.json' with { type: 'json' };
import openCodeAsk from '@sitrep/schema/fixtures/opencode/recorded-ask.json' with { type: 'json' };
import openCodeTurn from '@sitrep/schema/fixtures/opencode/recorded-turn.json' with { type: 'json' };
import { recording } from '../fixtures/recording.ts';

export type DialectName = keyof typeof dialects;

/** One frame as a program sent it, what it means, and when it came. */
export interface Frame {
  readonly raw: unknown;
  readonly events: readonly ProgressEvent[];
  /** Epoch milliseconds of the recording. */
  readonly at: number;
}

export interface Recording {
  readonly name: string;
  readonly frames: readonly Frame[];
}

/** Pause before a frame that says nothing of its time, milliseconds. */
const STEP = 40;
/** Times below this are not those of a clock on a wall. */
const LONG_AGO = 1e12;

/** Frames of a peer as they are played: those that say when they happened come then, the others evenly between. */
function translated(name: string, dialect: DialectName, raws: readonly unknown[]): Recording {
  const decoder = createDecoder(dialects[dialect], { session: 'replay' });
  let at = 1_700_000_000_000;
  let begun = false;
  const frames = raws.map((raw): Frame => {
    const decoded = decoder.decode(raw, at + STEP);
    const events = decoded.ok ? decoded.events : [];
    const named = events.find((event) => event.at > LONG_AGO && event.at !== at + STEP)?.at;
    at = named === undefined ? at + STEP : begun ? Math.max(at, named) : named;
    begun ||= named !== undefined;
    return { raw, events, at };
  });
  return { name, frames };
}

const own = recording.split('\n').map((line): Frame => {
  const event = JSON.parse(line) as ProgressEvent;
  return { raw: event, events: [event], at: event.at };
});

/** Each is read when it is chosen. */
export const recordings: Readonly<Record<string, () => Recording>> = {
  release: () => ({ name: 'A release, in our own events', frames: own }),
  codex: () => translated('Codex: a plan, two commands, a call of an MCP tool', 'codex', codexTurn.input),
  'codex-approval': () => translated('Codex: asks before it writes', 'codex', codexApproval.input),
  'codex-agent': () => translated('Codex: an agent in a thread of its own', 'codex', codexAgent.input),
  'codex-exec': () => translated('Codex exec: a turn', 'codex-exec', codexExecTurn.input),
  opencode: () => translated('OpenCode: a list, a command, a failed call, a subagent', 'opencode', openCodeTurn.input),
  'opencode-ask': () => translated('OpenCode: a permission and a question', 'opencode', openCodeAsk.input),
  'opencode-abort': () => translated('OpenCode: a turn that was stopped', 'opencode', openCodeAbort.input),
};
