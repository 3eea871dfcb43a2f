/** One frame as it is being read: what is known around it, what was mended, and how the reading is answered. */
import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Id } from '../../wire/scalars.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finishAll, placed, present } from '../finish.ts';
import { timeOfMs } from '../foreign-time.ts';
import { nativeOf } from '../native.ts';
import { NAME, textOf } from './frames.ts';
import { subagentId } from './ids.ts';
import type { AgUiMemory } from './memory.ts';

export type Frame = Readonly<Record<string, unknown>>;

/** What a frame is read with. */
export interface Reading {
  readonly context: DecodeContext;
  readonly memory: AgUiMemory;
  /** Filled while the frame is read. */
  readonly mended: Issue[];
}

/** How one type of frame is read. */
export type Reader = (frame: Frame, reading: Reading) => Decoded<AgUiMemory>;

/** The frame's own time, else that of its receipt. */
export function timeOf(frame: Frame, context: DecodeContext): number {
  return timeOfMs(frame['timestamp']) ?? context.at;
}

/** The run a frame without one belongs to. */
export function runOf({ context, memory }: Reading): string | undefined {
  return context.run ?? memory.run;
}

/** What a frame says about an operation; the peer's own words are its type and the ids among its members. */
export function operationOf(
  frame: Frame,
  reading: Reading,
  id: Id,
  said: { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] | undefined },
  ids: readonly string[],
): OperationEvent {
  const { context } = reading;
  const owner = subagentId(frame['subagentRunId']);
  const own = owner === id ? undefined : owner;
  return {
    ...placed({ ...context, run: runOf(reading), parent: own ?? context.parent, at: timeOf(frame, context) }, id),
    ...present(said),
    native: nativeOf(NAME, textOf(frame, 'type'), Object.fromEntries(ids.map((name) => [name, frame[name]]))),
  };
}

/** The answer: each event checked, the memory handed on. */
export function answer(reading: Reading, events: readonly ProgressEvent[], memory?: AgUiMemory): Decoded<AgUiMemory> {
  return finishAll(events, reading.mended, memory);
}
