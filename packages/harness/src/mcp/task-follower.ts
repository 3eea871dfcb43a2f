import { isFinal } from '@sitrep/schema';
import type { OperationEvent } from '@sitrep/schema/wire';
import type { Clock } from '../clock.ts';
import { isObject } from '../json.ts';
import type { Json } from '../json.ts';
import { applyEnd, applyLive } from './apply.ts';
import type { CallBook } from './call-book.ts';
import { EarlyTasks } from './early-tasks.ts';
import { isFailure, isUnknownTask, objectAt, textAt } from './messages.ts';
import type { Token } from './messages.ts';
import type { OpenCall } from './open-call.ts';
import { endByError, endByResult } from './outcome.ts';
import type { TaskReader } from './task-reader.ts';

/** Follows the calls that go on as tasks by all that is said of one: notices, polls, lists, its result. */
export class TaskFollower {
  readonly #book: CallBook;
  readonly #clock: Clock;
  readonly #early = new EarlyTasks();

  constructor(book: CallBook, clock: Clock) {
    this.#book = book;
    this.#clock = clock;
  }

  /** The answer to a call creates a task: nobody waits for that request any longer. */
  begin(open: OpenCall, task: TaskReader, result: Json): void {
    open.task = task;
    open.limit?.stop();
    open.limit = undefined;
    const before = this.#book.byTask(task.taskId);
    if (before !== undefined) this.#book.end(before, (reporter) => reporter.interrupt('task_id_reused'));
    const oldest = this.#book.becomeTask(open, task.taskId);
    if (oldest !== undefined) this.#book.end(oldest, (reporter) => reporter.interrupt('too_many_tasks'));
    this.#read(open, result);
    this.#told(open, this.#early.take(task));
  }

  /** The client asks about a task, or for all of them. */
  asked(id: Token, method: string, taskId: string | undefined): void {
    if (method === 'tasks/list') return this.#book.askAbout(id, '', method);
    const open = this.#book.byTask(taskId);
    if (open === undefined || taskId === undefined) return;
    if (method === 'tasks/cancel') open.reporter?.update({ cancelRequested: true });
    this.#book.askAbout(id, taskId, method);
  }

  /** The server answers; nothing is read from answers to other requests. */
  answer(id: Token, message: Json): void {
    const about = this.#book.takeAbout(id);
    const result = objectAt(message, 'result');
    if (about?.method === 'tasks/list') return this.#list(result['tasks']);
    const open = this.#book.byTask(about?.taskId);
    if (about === undefined || open === undefined) return;
    if (about.method === 'tasks/result') this.#end(open, message, result);
    else if (about.method === 'tasks/get' && isUnknownTask(message)) this.#book.end(open, (reporter) => reporter.interrupt('task_unknown'));
    else this.#read(open, result);
  }

  /** A notice may come before the answer that creates its task: over HTTP it has a stream of its own. */
  notice(method: string, params: Json): void {
    const open = this.#book.byTask(textAt(params, 'taskId'));
    if (open === undefined) this.#early.keep(method, params, this.#clock.now());
    else this.#read(open, params);
  }

  /** Forgets what was heard of tasks that will not be created any more. */
  forget(): void {
    this.#early.forget();
  }

  /** A list says of each task how it stands. */
  #list(tasks: unknown): void {
    for (const task of Array.isArray(tasks) ? (tasks as unknown[]) : []) {
      const open = isObject(task) ? this.#book.byTask(textAt(task, 'taskId')) : undefined;
      if (open !== undefined) this.#read(open, task as Json);
    }
  }

  #end(open: OpenCall, message: Json, result: Json): void {
    this.#book.end(open, (reporter) => {
      if (isFailure(message)) endByError(reporter, objectAt(message, 'error'), open.declared);
      else endByResult(reporter, result, open.call.name, open.declared);
    });
  }

  #read(open: OpenCall, params: Json): void {
    this.#told(open, open.task?.read(params, this.#clock.now()));
  }

  /** What a task says of itself, unless it has ended. */
  #told(open: OpenCall, event: OperationEvent | undefined): void {
    if (event === undefined || this.#book.byTask(open.task?.taskId) !== open) return;
    if (event.state !== undefined && isFinal(event.state)) this.#book.end(open, (reporter) => applyEnd(reporter, event));
    else if (open.reporter !== undefined) applyLive(open.reporter, event);
  }
}
