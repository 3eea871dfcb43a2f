import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { lastLine, shortText } from '../agent-stream.ts';
import { present } from '../finish.ts';

/** What both streams of Codex write in the same way. */

/** A command as the model wrote it, without the shell that runs it: `/bin/bash -lc 'make all'` is "make all". */
export function commandOf(command: unknown): string | undefined {
  const text = shortText(command);
  return /^(?:\/\S{1,60}\/)?(?:ba|z|da|)sh -l?c '([^']+)'$/.exec(text ?? '')?.[1] ?? text;
}

/** The files of a change, as a title. */
export function pathsOf(changes: unknown): string | undefined {
  if (!Array.isArray(changes)) return undefined;
  const paths = changes.slice(0, 20).flatMap((change) => (isObject(change) && typeof change['path'] === 'string' ? [change['path']] : []));
  return shortText(paths.join(', '));
}

/** Why a call failed: what it says, else the last line a command wrote; the exit code is its code. */
export function failureOf(cause: unknown, exitCode: unknown, output: unknown): OperationEvent['error'] | undefined {
  const code = typeof exitCode === 'number' ? String(exitCode) : undefined;
  const message = (isObject(cause) ? shortText(cause['message'], LIMITS.message) : undefined) ?? lastLine(output);
  if (message === undefined && code === undefined) return undefined;
  return { message: message ?? `exit code ${code}`, ...present({ code }) };
}

/** A tool by its name; without one there is nothing to name it by. */
export function toolOf(tool: unknown, origin: string, server?: unknown): Pick<OperationEvent, 'kind' | 'tool'> {
  const name = shortText(tool, LIMITS.word);
  if (name === undefined) return { kind: 'tool' };
  return { kind: 'tool', tool: { name, origin, ...present({ server: shortText(server, LIMITS.word) }) } };
}
