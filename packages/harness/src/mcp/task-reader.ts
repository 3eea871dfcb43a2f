import { mcpTasks2026 } from '@sitrep/schema/dialect/mcp-tasks-2026';
import { mcpTasks } from '@sitrep/schema/dialect/mcp-tasks';
import type { OperationEvent } from '@sitrep/schema/wire';
import type { Json } from '../json.ts';
import { objectAt, textAt } from './messages.ts';

type Memory = NonNullable<Parameters<typeof mcpTasks.decode>[2]>;

/** Reads what is said of one task, in the words of the revision it was created in. */
export interface TaskReader {
  readonly taskId: string;
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
    read(params, at) {
      const decoded = dialect.decode(params, { session: 'task', at }, memory);
      if (!decoded.ok) return undefined;
      memory = decoded.memory ?? memory;
      return decoded.events.find((event): event is OperationEvent => event.type === 'operation');
    },
  };
}
