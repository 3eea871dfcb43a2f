import type { DialectName } from './recordings.ts';

interface Fixture {
  readonly input: readonly unknown[];
}
type Loaded = Promise<{ readonly default: unknown }>;

/** Frames of each dialect that there is something to read in, loaded when they are asked for. */
const fixtures: Readonly<Partial<Record<DialectName, () => Loaded>>> = {
  'report-progress': () => import('@sitrep/schema/fixtures/report-progress/m16-resumed-stream.json', { with: { type: 'json' } }),
  progress: () => import('@sitrep/schema/fixtures/progress/p02-same-id.json', { with: { type: 'json' } }),
  'tool-progress': () => import('@sitrep/schema/fixtures/tool-progress/r04-two-calls.json', { with: { type: 'json' } }),
  'progress-card': () => import('@sitrep/schema/fixtures/progress-card/o10-stripped.json', { with: { type: 'json' } }),
  mcp: () => import('@sitrep/schema/fixtures/mcp/h04-count-only.json', { with: { type: 'json' } }),
  'mcp-tasks': () => import('@sitrep/schema/fixtures/mcp-tasks/every-state.json', { with: { type: 'json' } }),
  'mcp-tasks-2026': () => import('@sitrep/schema/fixtures/mcp-tasks-2026/whom-it-waits-on.json', { with: { type: 'json' } }),
  acp: () => import('@sitrep/schema/fixtures/acp/questions.json', { with: { type: 'json' } }),
  'acp-v2': () => import('@sitrep/schema/fixtures/acp-v2/call-ends.json', { with: { type: 'json' } }),
  a2a: () => import('@sitrep/schema/fixtures/a2a/states.json', { with: { type: 'json' } }),
  lsp: () => import('@sitrep/schema/fixtures/lsp/own-token.json', { with: { type: 'json' } }),
  'osc-progress': () => import('@sitrep/schema/fixtures/osc-progress/endings.json', { with: { type: 'json' } }),
  'osc-status': () => import('@sitrep/schema/fixtures/osc-status/every-state.json', { with: { type: 'json' } }),
  cloudevents: () => import('@sitrep/schema/fixtures/cloudevents/every-type.json', { with: { type: 'json' } }),
  codex: () => import('@sitrep/schema/fixtures/codex/recorded-turn.json', { with: { type: 'json' } }),
  opencode: () => import('@sitrep/schema/fixtures/opencode/recorded-turn.json', { with: { type: 'json' } }),
  claude: () => import('@sitrep/schema/fixtures/claude/turn-ends.json', { with: { type: 'json' } }),
  'openai-responses': () => import('@sitrep/schema/fixtures/openai-responses/hosted-calls.json', { with: { type: 'json' } }),
  chatkit: () => import('@sitrep/schema/fixtures/chatkit/own-items.json', { with: { type: 'json' } }),
  'codex-exec': () => import('@sitrep/schema/fixtures/codex-exec/recorded-turn.json', { with: { type: 'json' } }),
  'ag-ui': () => import('@sitrep/schema/fixtures/ag-ui/subagents.json', { with: { type: 'json' } }),
  'ai-sdk': () => import('@sitrep/schema/fixtures/ai-sdk/ends-returned.json', { with: { type: 'json' } }),
};

/** Dialects there is an example of: from the others nothing is read, they are only written. */
export const exemplified = Object.keys(fixtures) as readonly DialectName[];

/** An example of a dialect as it could be pasted, a frame on each line; undefined where nothing is read. */
export async function exampleOf(dialect: string): Promise<string | undefined> {
  const loaded = await fixtures[dialect as DialectName]?.();
  return loaded && (loaded.default as Fixture).input.map((frame) => JSON.stringify(frame)).join('\n');
}
