import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { CardMemory } from '../card-event.ts';
import type { DecodeContext } from '../dialect.ts';
import { entryOf, hasEntry, withEntry, withoutEntry } from '../entries.ts';
import type { Entries } from '../entries.ts';
import { heldRun } from '../held.ts';
import { NAME } from './memory.ts';
import type { ClaudeMemory } from './memory.ts';

/** Sessions of Claude Code in one stream: several programs may write to one of ours. What one says is nothing to the others. */

/** Sessions that are remembered. */
const MAX_SESSIONS = 8;
/** The session of frames before one that names its own. */
const UNNAMED = '';

/** What each session said before, the one heard last at the end, and the revision of the card they share. */
export interface ClaudeStreams extends CardMemory {
  readonly sessions?: Entries<ClaudeMemory> | undefined;
}

/** The session a frame belongs to: the one it names, else the one whose request it answers, else the one heard last. */
export function sessionOf(frame: Record<string, unknown>, { sessions = [] }: ClaudeStreams): string {
  const { session_id: named, request_id: own, response } = frame;
  if (isText(named, 1, LIMITS.id)) return named;
  const request = isObject(response) ? response['request_id'] : own;
  const asking = typeof request === 'string' ? sessions.findLast(([, memory]) => hasEntry(memory.requests, request)) : undefined;
  return (asking ?? sessions.at(-1))?.[0] ?? UNNAMED;
}

/** What this session said before. What came before any name was its own. */
export function memoryOf({ sessions, revision }: ClaudeStreams, session: string): ClaudeMemory {
  const held = entryOf(sessions, session) ?? entryOf(sessions, UNNAMED) ?? {};
  return revision === undefined || revision === held.revision ? held : { ...held, revision };
}

/**
 * What is known at the first frame. Where ours is named after the session of the frame, it is that one's alone and so is the
 * turn under way; else the turn may be another's, and only what goes on with it may take it for its own.
 */
export function recalled(context: DecodeContext, frame: Record<string, unknown>): ClaudeStreams {
  const run = heldRun(context, NAME);
  if (run === undefined) return {};
  const isAlone = frame['session_id'] === context.session;
  if (!isAlone && (frame['subtype'] === 'init' || isHook(frame))) return {};
  return { sessions: [[UNNAMED, { run, ...(isHook(frame) ? { prompt: run } : undefined) }]] };
}

/** True for the input of a hook. */
export function isHook(frame: Record<string, unknown>): boolean {
  return typeof frame['hook_event_name'] === 'string' && typeof frame['session_id'] === 'string';
}

/** The streams with what this session has said now. */
export function withMemory({ sessions }: ClaudeStreams, session: string, memory: ClaudeMemory): ClaudeStreams {
  const others = session === UNNAMED ? sessions : withoutEntry(sessions, UNNAMED);
  const { revision } = memory;
  return { ...(revision === undefined ? undefined : { revision }), sessions: withEntry(others, session, memory, MAX_SESSIONS) };
}
