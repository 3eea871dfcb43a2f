/** The identifiers this dialect makes: tool calls keep the peer's own, everything else is kept apart by a prefix. */
import { isText } from '../../check/guards.ts';
import { truncate } from '../../check/text/truncate.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Id } from '../../wire/scalars.ts';

const OPERATION = 'sitrep:operation:';

/** The message that carries an operation. Reversible, so that a patch of it needs no memory to be read. */
export function operationId(id: Id, run: string | undefined): string {
  return OPERATION + JSON.stringify(run === undefined ? [id] : [id, run]);
}

/** The operation a message of ours carries. */
export function readOperationId(messageId: string | undefined): { readonly id: Id; readonly run?: string } | undefined {
  if (messageId === undefined || !messageId.startsWith(OPERATION) || messageId.length > 8 * LIMITS.id) return undefined;
  try {
    const [id, run] = JSON.parse(messageId.slice(OPERATION.length)) as [Id, string?];
    return run === undefined ? { id } : { id, run };
  } catch {
    return undefined;
  }
}

/** A subagent's invocation. */
export function subagentId(subagentRunId: unknown): string | undefined {
  return prefixed('subagent/', subagentRunId);
}

/** A question that belongs to no tool call. */
export function interruptId(id: unknown): string | undefined {
  return prefixed('interrupt/', id);
}

/** An activity that is no card and no record of ours. */
export function activityId(messageId: unknown): string | undefined {
  return prefixed('activity/', messageId);
}

function prefixed(prefix: string, id: unknown): string | undefined {
  return isText(id, 1, LIMITS.id - prefix.length) ? prefix + id : undefined;
}

/** A step has only a name, which may come again once it has ended: the times before are counted. */
export function stepId(stepName: string, owner: string | undefined, count: number): string {
  const name = truncate(owner === undefined ? `step/${stepName}` : `step/${owner}/${stepName}`, LIMITS.id - 12);
  return count === 1 ? name : `${name}#${count}`;
}
