import { isObject, isText } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import { cleanLine } from '../../check/text/clean-line.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Tool } from '../../wire/parts.ts';
import type { OperationState } from '../../wire/states.ts';
import { isFinal } from '../../wire/states.ts';
import { present } from '../finish.ts';
import { lastLine } from '../agent-stream.ts';
import { nativeOf } from '../native.ts';
import { readText } from '../reading.ts';
import type { AcpWords } from './words.ts';

/** A tool call as ACP tells of it, whole or a patch. */
export interface CallFrame {
  readonly update: Record<string, unknown>;
  readonly path: string;
  readonly sessionId: string | number | undefined;
  /** True when nothing was heard of the call before. */
  readonly isFirst: boolean;
  /** The word last heard for its state. */
  readonly word?: string | undefined;
}

/** Who an event is about, and when. */
export type CallPlace = Pick<OperationEvent, 'session' | 'id' | 'run' | 'attempt' | 'parent' | 'at'>;

/** An operation event from a tool call. */
export function readCall(frame: CallFrame, place: CallPlace, words: AcpWords, mended: Issue[]): OperationEvent {
  const { update, path, sessionId, isFirst } = frame;
  const { status, toolCallId } = update;
  const state = readState(status, `${path}/status`, isFirst, words, mended);
  return {
    type: 'operation',
    ...place,
    ...present({
      state,
      title: clearable(update['title'], isFirst, (title) => readText(title, LIMITS.title, `${path}/title`, mended)),
      message: messageOf(update['content'], state, isFirst),
      kind: clearable(update['kind'], isFirst, (kind) => (isText(kind, 1, LIMITS.word) ? kind : undefined)),
      tool: words.nullClears ? clearable(update['name'], isFirst, readTool) : readTool(update['name']),
      error: errorOf(update, state),
      cancellable: 'capabilities' in update ? isObject(update['capabilities']) && isObject(update['capabilities']['cancel']) : undefined,
    }),
    native: nativeOf(words.name, status === null && words.nullClears ? undefined : (status ?? frame.word), { sessionId, toolCallId }),
  } as OperationEvent;
}

/** Null clears what was known before; of a call just begun there is nothing to clear. */
function clearable<T>(value: unknown, isFirst: boolean, read: (value: unknown) => T | undefined): T | null | undefined {
  if (value === null) return isFirst ? undefined : null;
  return read(value);
}

function readState(value: unknown, path: string, isFirst: boolean, words: AcpWords, mended: Issue[]): OperationState | undefined {
  if (value === undefined || (value === null && !words.nullClears)) return isFirst ? 'pending' : undefined;
  if (value === null) return 'pending';
  const state = typeof value === 'string' ? words.states[value] : undefined;
  if (state === undefined)
    addIssue(mended, path, 'enum', `must be one of ${Object.keys(words.states).join(', ')} and was read as pending.`);
  return state ?? 'pending';
}

/** The tool by its name; that it is the agent's is all ACP says of where it lives. */
function readTool(value: unknown): Tool | undefined {
  const name = isText(value, 1, LIMITS.word) ? cleanLine(value) : '';
  return name.trim() === '' ? undefined : { name, origin: 'agent' };
}

/** What a call at work says last. What stands there at its end is its result, which is no progress. */
function messageOf(content: unknown, state: OperationState | undefined, isFirst: boolean): string | null | undefined {
  if (state !== undefined && isFinal(state)) return undefined;
  if (content === null || (Array.isArray(content) && content.length === 0)) return isFirst ? undefined : null;
  return lastLineIn(content);
}

/** Why it failed: what it says last, or the output if that is a text. */
function errorOf(update: Record<string, unknown>, state: OperationState | undefined): { message: string } | undefined {
  if (state !== 'failed' && state !== 'denied') return undefined;
  const { rawOutput } = update;
  const message = lastLineIn(update['content']) ?? lastLine(rawOutput);
  return message === undefined ? undefined : { message };
}

/** The last line with something in it of the last text of an output. */
function lastLineIn(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  for (let index = content.length - 1; index >= 0 && index >= content.length - 16; index -= 1) {
    const line = lastLine(textOf(content[index]));
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The text of one item of an output: `{type: content, content: {type: text, text}}`. */
export function textOf(item: unknown): string | undefined {
  const block = isObject(item) && item['type'] === 'content' ? item['content'] : undefined;
  if (!isObject(block) || block['type'] !== 'text') return undefined;
  return typeof block['text'] === 'string' ? block['text'] : undefined;
}
