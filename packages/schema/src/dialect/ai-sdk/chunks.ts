/** What UI message streams are made of here: the name we bring along, and what a chunk is read with. */
import { isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Id } from '../../wire/scalars.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import type { Entries } from '../entries.ts';
import { placed, present } from '../finish.ts';
import { nativeOf } from '../native.ts';

/** The dialect's name. */
export const NAME = 'ai-sdk';
/** Type of the data part that carries an event of ours. */
export const AI_SDK_PART = 'data-sitrep';
/** The reason of a run that stays open because its turn goes on in another response. */
export const HANDED_OVER = 'tool-calls';

/** One chunk of a UI message stream. */
export interface AiSdkChunk {
  readonly type: string;
  readonly [member: string]: unknown;
}

export type Chunk = Readonly<Record<string, unknown>>;

/** A tool call that was announced. */
export interface KnownCall {
  readonly run?: string | undefined;
  readonly isOpen: boolean;
  /** Id of the approval it waits for. */
  readonly approval?: string | undefined;
  /** True while the step that called it may be taken back. */
  readonly isOfStep: boolean;
}

/** What a stream is remembered by: plain, never changed in place, bounded. One decoder is meant for one chat. */
export interface AiSdkMemory extends CardMemory {
  /** The run that is under way. */
  readonly run?: string | undefined;
  /** True once a message was seen to start: from then on every call announces itself. */
  readonly isAnnounced?: boolean | undefined;
  readonly calls?: Entries<KnownCall> | undefined;
  /** Runs whose turn goes on in another response. */
  readonly handed?: readonly string[] | undefined;
}

/** Bounds of the memory. */
export const KEPT = Object.freeze({ calls: LIMITS.operations, handed: 10 });

/** What a chunk is read with. */
export interface Reading {
  readonly context: DecodeContext;
  readonly memory: AiSdkMemory;
  /** Filled while the chunk is read. */
  readonly mended: Issue[];
}

/** How one type of chunk is read. */
export type Reader = (chunk: Chunk, reading: Reading) => Decoded<AiSdkMemory>;

/** The run a chunk belongs to. */
export function runOf({ context, memory }: Reading): string | undefined {
  return context.run ?? memory.run;
}

/** The id of the call a chunk is about. */
export function callIdOf(chunk: Chunk): string | undefined {
  const { toolCallId } = chunk;
  return isText(toolCallId, 1, LIMITS.id) ? toolCallId : undefined;
}

/** What is said of an operation, with the peer's own word and ids. */
export function operationOf(
  reading: Reading,
  place: { readonly id: Id; readonly run?: string | undefined },
  said: { readonly [Key in keyof OperationEvent]?: OperationEvent[Key] | undefined },
  word: unknown,
  ids: Readonly<Record<string, unknown>>,
): OperationEvent {
  return {
    ...placed({ ...reading.context, run: place.run }, place.id),
    ...present(said),
    native: nativeOf(NAME, word, ids),
  };
}
