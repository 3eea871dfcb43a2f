/**
 * Work-done progress of the Language Server Protocol: the notification `$/progress` `{token, value}` with a value of kind
 * `begin` `{title, cancellable?, message?, percentage?}`, `report` or `end` `{message?}`; the request
 * `window/workDoneProgress/create` and the notification `window/workDoneProgress/cancel`, both `{token}`.
 *
 * In: the token, with its JSON type, is the id unless the caller gives one. Create is pending, begin and report are
 * running, end is completed, or cancelled after a cancel, which is seen where one decoder reads both directions of the
 * connection: the protocol has no word for how work ended. A message that is left out stays. Without a percentage nothing
 * is said of an amount; one outside 0 to 100 is clamped. A token that begins again is the next attempt, as some servers
 * use one token for ever. A report after the end is passed on and dropped by the reducer. Partial results travel under
 * the same method and are no events.
 *
 * Out: the first event of an operation is a begin, with a create before it unless the token came from the peer; its end
 * is an end, with a begin before it where there was none. What is added to an end is one more end, which a peer passes
 * over. Our whole event travels in the value under `sitrep/event`, which LSP libraries pass on; frames that only the
 * grammar needs carry null there, and are no events on the way back. A token is the id, or names run, id and attempt,
 * which are read back from it. The percentage is only ever derived from amounts, and repeated with every report: clients
 * show no message without it once there was one. A request to cancel an operation of the peer is a cancel. A run's end
 * ends what it left open, and a higher attempt the one before it.
 *
 * Lost on the way out to a peer that does not know the key: failed, cancelled, denied, interrupted and blocked (a message
 * says so); units and counts (a whole percentage, which a client may pass over where the begin had none); plans, parents,
 * kinds, tools, times, usage; a title that changes after the begin. Cards and sessions have no frame.
 */
import { isObject } from '../check/guards.ts';
import type { DecodeContext, Dialect } from './dialect.ts';
import { guarded } from './guarded.ts';
import { decode } from './lsp/decode.ts';
import { encode } from './lsp/encode.ts';
import { CANCEL, CREATE, NAME, PROGRESS, readToken } from './lsp/frames.ts';
import type { LspFrame } from './lsp/frames.ts';
import type { LspMemory } from './lsp/tokens.ts';

const KINDS: readonly unknown[] = ['begin', 'report', 'end'];

/** The dialect of work-done progress in language servers. */
export const lsp: Dialect<LspFrame, DecodeContext, LspMemory> = guarded<LspFrame, DecodeContext, LspMemory>({
  name: NAME,
  whole: ['operation'],
  detect(frame) {
    if (!isObject(frame) || !isObject(frame['params']) || readToken(frame['params']['token']) === undefined) return false;
    const { method, params } = frame;
    if (method === CREATE || method === CANCEL) return true;
    return method === PROGRESS && isObject(params['value']) && KINDS.includes(params['value']['kind']);
  },
  decode,
  encode,
});

export { LSP_EVENT_KEY } from './lsp/frames.ts';
export type { LspCancelFrame, LspCreateFrame, LspFrame, LspProgressFrame, LspProgressValue, LspToken } from './lsp/frames.ts';
export type { LspMemory, TokenState } from './lsp/tokens.ts';
