import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import type { Json } from '../json.ts';
import { objectAt, textAt } from './messages.ts';

type Memory = NonNullable<Parameters<typeof mcpTasks.decode>[2]>;

/** Reads what is said of one task, in the words of the revision it was created in. */
export interface TaskReader {
  readonly taskId: string;
  /** When the task was created, as the server wrote it: tells it from an earlier one of that name. */
  readonly createdAt: string | undefined;
  /** The event of a result or of a notification's parameters; undefined when it cannot be read. */
  read(params: Json, at: number): OperationEvent | undefined;
}

/** The reader for the task a result creates; undefined when it creates none. */
export function taskReader(result: Json): TaskReader | undefined {
  const created = result['resultType'] === 'task' ? result : objectAt(result, 'task');
  const taskId = textAt(created, 'taskId');
  if (taskId === undefined) return undefined;
  const dialect = result['resultType'] === 'task' ? mcpTasks2026 : mcpTasks;
  let memory: Memory | undefined;
  return {
    taskId,
    createdAt: textAt(created, 'createdAt'),
    read(params, at) {
      const decoded = dialect.decode(params, { session: 'task', at }, memory);
      if (!decoded.ok) return undefined;
      memory = decoded.memory ?? memory;
      return operationIn(decoded.events);
    },
  };
}

/** The event of a notice about a task nobody here knows yet, in the words of the notice's revision. */
export function readNotice(method: string, params: Json, at: number): OperationEvent | undefined {
  const dialect = method === 'notifications/tasks' ? mcpTasks2026 : mcpTasks;
  const decoded = dialect.decode(params, { session: 'task', at });
  return decoded.ok ? operationIn(decoded.events) : undefined;
}

function operationIn(events: readonly ProgressEvent[]): OperationEvent | undefined {
  return events.find((event): event is OperationEvent => event.type === 'operation');
}
