import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import type { OperationEvent } from '@sitrep/schema/wire';
import { isObject } from '../json.ts';
import type { Json } from '../json.ts';

/** What a result asks for in place of an answer, as an event; undefined when it is an answer. */
export function questionOf(result: Json, at: number): OperationEvent | undefined {
  if (result['resultType'] !== 'input_required') return undefined;
  const inputRequests = isObject(result['inputRequests']) ? result['inputRequests'] : {};
  const decoded = mcpTasks2026.decode({ taskId: 'call', status: 'input_required', inputRequests }, { session: 'call', at });
  return decoded.ok ? decoded.events.find((event): event is OperationEvent => event.type === 'operation') : undefined;
}
