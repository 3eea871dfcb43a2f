import type { OperationEvent, RunEvent } from '@sitrep/schema/wire';
import { ERROR } from './api.ts';
import type { Attributes, SpanLike } from './api.ts';

/** Kinds of operations in which another agent works. */
const AGENTS = new Set(['agent', 'subagent']);

/** Name of an operation's span: of few values, as the conventions ask. The title is an attribute. */
export function nameOf({ tool, kind }: Pick<OperationEvent, 'tool' | 'kind'>): string {
  if (tool) return `execute_tool ${tool.name}`;
  if (kind && AGENTS.has(kind)) return 'invoke_agent';
  return kind ?? 'operation';
}

/** What the semantic conventions for generative AI and MCP say of an operation, and what only we have a name for. */
export function operationAttributes(event: OperationEvent): Attributes {
  const { tool, kind, native } = event;
  const operation = tool ? 'execute_tool' : kind && AGENTS.has(kind) ? 'invoke_agent' : undefined;
  const mcp = tool?.origin === 'mcp';
  return {
    'gen_ai.conversation.id': event.session,
    'gen_ai.operation.name': operation,
    'gen_ai.tool.name': tool?.name,
    'gen_ai.tool.call.id': tool ? String(event.id) : undefined,
    'gen_ai.tool.type': tool?.origin === 'native' ? 'function' : undefined,
    'mcp.method.name': mcp ? 'tools/call' : undefined,
    'jsonrpc.request.id': mcp && native?.ids?.['requestId'] !== undefined ? String(native.ids['requestId']) : undefined,
    'sitrep.tool.server': tool?.server,
    'sitrep.operation.id': String(event.id),
    'sitrep.operation.attempt': event.attempt ?? 1,
    'sitrep.operation.kind': kind ?? undefined,
    'sitrep.operation.title': event.title ?? undefined,
    'sitrep.run.id': event.run,
  };
}

/** The same of a run: one turn of the agent. */
export function runAttributes(event: RunEvent, agent: string | undefined): Attributes {
  return {
    'gen_ai.conversation.id': event.session,
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': agent,
    'sitrep.run.id': event.run,
  };
}

/** Those that have a value. */
export function present(attributes: Attributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).filter((entry): entry is [string, string | number | boolean] => entry[1] !== undefined);
  return Object.fromEntries(entries);
}

/** How something ended. */
export interface Ending {
  readonly state: string;
  readonly reason?: string | null | undefined;
  readonly error?: OperationEvent['error'];
  /** True for a call of a tool over MCP. */
  readonly mcp: boolean;
}

/**
 * Says how it ended. `completed` and `cancelled` set no status: the one is left to whoever reads, and to be stopped is no
 * fault. `failed`, `denied` and `interrupted` did not do what was asked.
 */
export function setEnding(span: SpanLike, { state, reason, error, mcp }: Ending): void {
  span.setAttribute('sitrep.operation.state', state);
  if (reason) span.setAttribute('sitrep.operation.reason', reason);
  if (state === 'completed' || state === 'cancelled') return;
  const other = state === 'failed' ? (mcp ? 'tool_error' : '_OTHER') : state;
  span.setAttribute('error.type', (state === 'failed' ? error?.code : undefined) ?? (reason || other));
  span.setStatus(error?.message === undefined ? { code: ERROR } : { code: ERROR, message: error.message });
}
