/** The identifiers this dialect makes: tool calls keep the peer's own, everything else is kept apart by a prefix. */
import { isText } from '../../check/guards.ts';
import { truncate } from '../../check/text/truncate.ts';
import { LIMITS } from '../../wire/limits.ts';

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
