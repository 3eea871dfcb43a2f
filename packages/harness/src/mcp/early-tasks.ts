import type { OperationEvent } from '@sitrep/schema/wire';
import type { Json } from '../json.ts';
import { textAt } from './messages.ts';
import { oldestBeyond } from './oldest.ts';
import { readNotice } from './task-reader.ts';
import type { TaskReader } from './task-reader.ts';

/** Tasks of which something was heard before the answer that creates them; the oldest are let go first. */
const KEPT = 100;

/** The newest word about each task that is not known yet. Most are never asked for: they are the tasks of others. */
export class EarlyTasks {
  readonly #heard = new Map<string, { readonly createdAt: string; readonly event: OperationEvent }>();

  /** Keeps what a notice says. */
  keep(method: string, params: Json, at: number): void {
    const [taskId, createdAt] = [textAt(params, 'taskId'), textAt(params, 'createdAt')];
    const event = taskId === undefined || createdAt === undefined ? undefined : readNotice(method, params, at);
    if (taskId === undefined || createdAt === undefined || event === undefined) return;
    this.#heard.delete(taskId);
    this.#heard.set(taskId, { createdAt, event });
    const oldest = oldestBeyond(KEPT, this.#heard);
    if (oldest !== undefined) this.#heard.delete(oldest);
  }

  /** What was heard of this very task: one that was created at the same time, since names may be used again. */
  take({ taskId, createdAt }: TaskReader): OperationEvent | undefined {
    const heard = this.#heard.get(taskId);
    this.#heard.delete(taskId);
    return heard !== undefined && heard.createdAt === createdAt ? heard.event : undefined;
  }

  forget(): void {
    this.#heard.clear();
  }
}
