/**
 * OpenClaw's progress card: the stored card `{sessionKey, revision, updatedAt, markdown?, steps?}` alone or as the answer
 * `{card}` to a get or put; the notice `progressCard.changed`, alone or in its event frame; the tool's input `{plan?,
 * markdown?}`; and the older agent event `{stream: "plan", data: {phase: "update", steps}}`.
 *
 * In: a card becomes a `card` event of its own revision. It must name the session that was asked for, hold a revision, a
 * time and some content; its steps are mended, not refused. A notice is a hint and nothing else: no event, and
 * `hint` set on the answer, so that the caller fetches again. An answer `{card: null}`, the tool's input and the plan event
 * carry no revision and take the one after `context.revision`, or after what this stream said before; an empty answer where
 * nothing was known is no event. The input is closed: an object with any other key is refused, and clears nothing.
 *
 * Lost on the way out: the run a card was written in; steps that failed or were cancelled, which stand as pending, since the
 * peer has no word for them; a clear carries no revision. Operations, runs and sessions have no frame.
 */
import { isInteger, isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import type { Card, CardEvent } from '../wire/card.ts';
import type { StepState } from '../wire/states.ts';
import type { ChangeHint, Decoded, DecodeContext, Dialect, Encoded } from './dialect.ts';
import { bodyOf, cardEvent, nextRevision } from './card-event.ts';
import type { CardMemory } from './card-event.ts';
import { finishAll, present, refuse } from './finish.ts';
import { mendNote, mendPlan } from './mend-plan.ts';
import { normalizeOpenClawCard } from './openclaw-profile.ts';
import type { OpenClawCardFrame, OpenClawChangedFrame } from './openclaw-profile.ts';
import { timeOfMs } from './foreign-time.ts';
import { guarded } from './guarded.ts';

/** What is written for the peer. */
export type ProgressCardFrame = OpenClawCardFrame | OpenClawChangedFrame;

/** What the caller knows beyond the frame. */
export interface ProgressCardContext extends DecodeContext {
  /** The key the peer knows the session by. Default: `session`. */
  readonly sessionKey?: string | undefined;
}

/** What a stream is to be remembered by: its newest revision, and whether that was a clear. */
type Memory = CardMemory & { readonly cleared?: true };

const NAME = 'progress-card';
const CHANGED = 'progressCard.changed';

function decode(frame: unknown, context: ProgressCardContext, memory: Memory = {}): Decoded<Memory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be a card, an answer with a card, a notice, or the input of the tool.');
  const notice = asNotice(frame);
  if (notice !== undefined) return { ok: true, events: [], hint: notice };
  if (frame['event'] === CHANGED) return refuse('/payload', 'type', 'must hold a sessionKey and a revision or null.');
  if (frame['stream'] === 'plan') return decodePlanEvent(frame, context, memory);
  if ('card' in frame) return frame['card'] === null ? clearAfter(context, memory) : decodeCard(frame['card'], '/card', context);
  if ('sessionKey' in frame || 'revision' in frame || 'updatedAt' in frame) return decodeCard(frame, '', context);
  return decodeInput(frame, context, memory);
}

/** A notice names a session and a revision and nothing that could be shown. */
function asNotice(frame: Record<string, unknown>): ChangeHint | undefined {
  const isFramed = frame['event'] === CHANGED;
  const payload = isFramed ? frame['payload'] : frame;
  if (!isObject(payload) || (!isFramed && Object.keys(payload).length !== 2)) return undefined;
  const { sessionKey, revision } = payload;
  if (typeof sessionKey !== 'string' || sessionKey === '' || (revision !== null && !isInteger(revision, 1))) return undefined;
  return { kind: 'card', session: sessionKey, revision };
}

function decodeCard(value: unknown, path: string, context: ProgressCardContext): Decoded<Memory> {
  if (!isObject(value)) return refuse(path, 'type', 'must be a card or null.');
  const { sessionKey, revision, updatedAt, steps, markdown } = value;
  if (sessionKey !== (context.sessionKey ?? context.session))
    return refuse(`${path}/sessionKey`, 'session', 'must name the session that was asked for.');
  if (!isInteger(revision, 1)) return refuse(`${path}/revision`, 'range', 'must be a whole number of at least 1.');
  const at = timeOfMs(updatedAt);
  if (at === undefined) return refuse(`${path}/updatedAt`, 'range', 'must be a time in epoch milliseconds.');
  if (steps !== undefined && !Array.isArray(steps)) return refuse(`${path}/steps`, 'type', 'must be a list of steps.');
  const mended: Issue[] = [];
  const card = bodyOf(mendPlan(steps, `${path}/steps`, mended), mendNote(markdown, `${path}/markdown`, mended));
  if (card === null) return refuse(path, 'empty', 'must hold steps or a note.');
  return finishAll([cardEvent(context, revision, at, card)], mended, { revision });
}

function decodeInput(frame: Record<string, unknown>, context: ProgressCardContext, memory: Memory): Decoded<Memory> {
  // Closed: nothing but an input may clear the card, and an object with neither part would.
  if (Object.keys(frame).some((key) => key !== 'plan' && key !== 'markdown'))
    return refuse('', 'unknown_key', 'must be a card, a notice, or the input of the tool, which has plan and markdown alone.');
  const normal = normalizeOpenClawCard(frame);
  if (!normal.ok) return normal;
  return nextCard(context, memory, bodyOf(normal.value.plan, normal.value.markdown), []);
}

function decodePlanEvent(frame: Record<string, unknown>, context: ProgressCardContext, memory: Memory): Decoded<Memory> {
  const { data } = frame;
  if (!isObject(data) || data['phase'] !== 'update') return refuse('/data/phase', 'enum', 'must be update.');
  const mended: Issue[] = [];
  const plan = mendPlan(data['steps'], '/data/steps', mended);
  if (plan === undefined) return refuse('/data/steps', 'type', 'must be a list of steps.');
  return nextCard(context, memory, bodyOf(plan, mendNote(data['explanation'], '/data/explanation', mended)), mended);
}

/** The peer answered that there is no card: whatever was known of one is over. */
function clearAfter(context: ProgressCardContext, memory: Memory): Decoded<Memory> {
  // An answer that only repeats it must not run ahead of the peer's own revisions.
  if (memory.cleared === true || nextRevision(context, memory) === 1) return { ok: true, events: [] };
  return nextCard(context, memory, null, []);
}

/** A write that carries no revision takes the next one of its stream. */
function nextCard(context: ProgressCardContext, memory: Memory, card: Card | null, mended: readonly Issue[]): Decoded<Memory> {
  const revision = nextRevision(context, memory);
  return finishAll([cardEvent(context, revision, context.at, card)], mended, card === null ? { revision, cleared: true } : { revision });
}

function encodeCard({ session, revision, at, card }: CardEvent): Encoded<ProgressCardFrame> {
  const changed = (now: number | null): OpenClawChangedFrame => ({
    type: 'event',
    event: CHANGED,
    payload: { sessionKey: session, revision: now },
  });
  const body = card === null ? null : bodyOf(card.plan, card.markdown);
  if (body === null) return [changed(null)];
  const steps = body.plan?.map(({ step, status }) => ({ step, status: statusOut(status) }));
  return [{ sessionKey: session, revision, updatedAt: at, ...present({ markdown: body.markdown, steps }) }, changed(revision)];
}

function statusOut(status: StepState): string {
  return status === 'failed' || status === 'cancelled' ? 'pending' : status;
}

/** The dialect of OpenClaw's progress card. */
export const progressCard: Dialect<ProgressCardFrame, ProgressCardContext, Memory> = guarded({
  name: NAME,
  whole: [],
  detect: (frame) => {
    if (!isObject(frame)) return false;
    if (frame['event'] === CHANGED) return true;
    if (frame['stream'] === 'plan') return isObject(frame['data']) && Array.isArray(frame['data']['steps']);
    const card = isObject(frame['card']) ? frame['card'] : frame;
    return typeof card['sessionKey'] === 'string' && isInteger(card['revision'], 1) && typeof card['updatedAt'] === 'number';
  },
  decode,
  encode: (event) => (event.type === 'card' ? encodeCard(event) : []),
});

export { cardContent, cardDetails, cardReceipt, normalizeOpenClawCard } from './openclaw-profile.ts';
export { applyOpenClawPut, checkOpenClawCall, openClawPlanEvent, OPENCLAW_AGENT_SCOPE, OPENCLAW_CARD_METHODS } from './openclaw-methods.ts';
export type { CardDetails, OpenClawCard, OpenClawCardFrame, OpenClawChangedFrame } from './openclaw-profile.ts';
export type {
  OpenClawCardAnswer,
  OpenClawCardCall,
  OpenClawPlanEvent,
  OpenClawPut,
  OpenClawRefreshAnswer,
  OpenClawStored,
  OpenClawTarget,
} from './openclaw-methods.ts';
