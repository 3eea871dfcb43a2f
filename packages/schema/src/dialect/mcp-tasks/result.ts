import { isObject } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import { readText } from '../reading.ts';

/** How a tool's own result ends its operation: `isError` is a failure of the tool, told in its first text. */
export function resultEnd(result: Readonly<Record<string, unknown>>): Pick<OperationEvent, 'state' | 'reason' | 'error'> {
  if (result['isError'] !== true) return { state: 'completed' };
  const message = firstText(result['content']);
  return { state: 'failed', reason: 'tool_error', ...(message === undefined ? undefined : { error: { message } }) };
}

function firstText(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const block of content as readonly unknown[]) {
    if (isObject(block) && block['type'] === 'text') return readText(block['text'], LIMITS.message, '', []);
  }
  return undefined;
}
