/**
 * A2A 1.0, the protocol between agents: a stream of `task`, `message`, `statusUpdate` and `artifactUpdate`, with or without
 * JSON-RPC around them, also as the libraries hold them in memory; the answer to GetTask and to ListTasks.
 *
 * In: a task is an operation. `INPUT_REQUIRED` is blocked on a question and `AUTH_REQUIRED` on signing in, and the text
 * beside them is what is asked; `REJECTED` is denied. An unspecified or unknown state is pending, with the word kept. The
 * times are the peer's. A task in a snapshot says its state, then the newest that was said through the slot, since the
 * peer's own library keeps that with the task. What a task makes is its message by name; a message outside a task and a
 * refused request say nothing. What an unheard task makes is dropped and noted.
 *
 * Out: our whole event travels in `metadata` under `urn:sitrep:event`, and comes back from there as long as the state beside
 * it still agrees. What came from this peer and says no more than its words goes back in these words alone. Tasks are whole:
 * an event is written with what the session knows beside it. An operation within another is told as news of the outermost
 * one, in the state that one is in, since only that is a task to the peer. A card is an artifact of the task at work, as
 * Markdown, and replaced whole.
 *
 * Lost on the way out to a peer that does not know the key: waiting and paused (WORKING, the latter with the word in the
 * text); interrupted (FAILED, with the word); permission and other blocks (INPUT_REQUIRED); states of inner operations,
 * which stand in the text; amounts as numbers; kinds, tools, parents, usage, runs, attempts, sequence; the same id in two
 * runs, and 7 beside "7", are one task. Runs, sessions and clears have no frame.
 */
import type { Dialect, Encoded } from './dialect.ts';
import type { OperationEvent } from '../wire/operation.ts';
import { isCertain, readContent } from './a2a/frames.ts';
import type { A2aFrame } from './a2a/frames.ts';
import { decode } from './a2a/read.ts';
import type { A2aMemory } from './a2a/read.ts';
import { NAME } from './a2a/states.ts';
import { writeCard, writeStatus, writeWhole } from './a2a/write.ts';
import { guarded } from './guarded.ts';
import { sameEvent } from './same-event.ts';
import type { DecodeContext, SessionView } from './dialect.ts';

function encodeOperation(event: OperationEvent, before: SessionView | undefined): A2aFrame {
  if (event.native?.protocol === NAME) {
    const { session, run, parent, at } = event;
    const bare = { statusUpdate: writeStatus(event) };
    const read = decode(bare, { session, run, parent: parent ?? undefined, at });
    const [back] = read.ok ? read.events : [];
    if (back !== undefined && sameEvent(back, event)) return bare;
  }
  return { statusUpdate: writeWhole(event, before) };
}

/** The dialect of A2A 1.0. */
export const a2a: Dialect<A2aFrame, DecodeContext, A2aMemory> = guarded({
  name: NAME,
  whole: ['operation', 'card'],
  detect: (frame) => {
    const content = readContent(frame);
    return content !== undefined && isCertain(content);
  },
  decode,
  encode: (event, before): Encoded<A2aFrame> => {
    if (event.type === 'operation') return [encodeOperation(event, before)];
    return event.type === 'card' ? [{ artifactUpdate: writeCard(event, before) }] : [];
  },
});

export { A2A_EVENT_KEY } from './a2a/frames.ts';
export type { A2aArtifactUpdate, A2aFrame, A2aMessage, A2aStatusUpdate, A2aTextPart } from './a2a/frames.ts';
