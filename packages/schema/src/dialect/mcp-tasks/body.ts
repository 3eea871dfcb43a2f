import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Decoded } from '../dialect.ts';
import { refuse } from '../finish.ts';
import type { TaskMemory } from './said.ts';

/** The object of a frame that may hold a task, and where it stands. */
export interface Body {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** The method, where the frame is a request or a notification. */
  readonly method?: string;
}

/**
 * What a frame carries: the parameters of a request or notification, the result of a response, or, where the envelope is off
 * already, the frame itself. Undefined for anything else, an error response included: it does not say which task it is about.
 */
export function bodyOf(frame: unknown): Body | undefined {
  if (!isObject(frame)) return undefined;
  const { method, result, params } = frame;
  if (typeof method === 'string') return isObject(params) ? { value: params, path: '/params', method } : undefined;
  if (frame['jsonrpc'] === undefined) return { value: frame, path: '' };
  return isObject(result) ? { value: result, path: '/result' } : undefined;
}

/** True for a name a task may have. */
export function isTaskId(value: unknown): value is string {
  return isText(value, 1, LIMITS.id);
}

/** The answer for a frame that is none of a task. */
export function refused(path: string, rule: string): Decoded<TaskMemory> {
  return refuse(path, 'type', rule) as Decoded<TaskMemory>;
}
