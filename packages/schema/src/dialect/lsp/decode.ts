import { isObject } from '../../check/guards.ts';
import { addIssue } from '../../check/issue-list.ts';
import type { Issue } from '../../check/issue.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { Id } from '../../wire/scalars.ts';
import { isFinal } from '../../wire/states.ts';
import type { DecodeContext, Decoded } from '../dialect.ts';
import { finish, placed, present, refuse } from '../finish.ts';
import { nativeOf } from '../native.ts';
import { readId, readNumber, readText } from '../reading.ts';
import { wholeEvent } from '../whole-event.ts';
import { CANCEL, CREATE, LSP_EVENT_KEY, NAME, PROGRESS, readToken } from './frames.ts';
import type { LspToken } from './frames.ts';
import { knownToken, ownToken, stepped } from './tokens.ts';
import type { LspMemory } from './tokens.ts';

const KINDS: readonly unknown[] = ['begin', 'report', 'end'];

/** One message as events. */
export function decode(frame: unknown, context: DecodeContext, memory?: LspMemory): Decoded<LspMemory> {
  if (!isObject(frame)) return refuse('', 'type', 'must be a message of the protocol.');
  const { method, params } = frame;
  if (method !== PROGRESS && method !== CREATE && method !== CANCEL)
    return refuse('/method', 'unknown_type', `must be ${PROGRESS}, ${CREATE} or ${CANCEL}.`);
  if (!isObject(params)) return refuse('/params', 'type', 'must be an object with a token.');
  const token = readToken(params['token']);
  const own = ownToken(token);
  const id = context.id ?? own?.id ?? readId(token);
  if (token === undefined || id === undefined)
    return refuse('/params/token', 'required', `must be an integer, or text of 1 to ${LIMITS.id} characters.`);
  return decodeMessage(frame, params, { ...context, run: context.run ?? own?.run }, id, token, memory);
}

function decodeMessage(
  frame: Record<string, unknown>,
  params: Record<string, unknown>,
  context: DecodeContext,
  id: Id,
  token: LspToken,
  memory?: LspMemory,
): Decoded<LspMemory> {
  const { method } = frame;
  if (method === CANCEL) return remembered(cancelled(context, id, token, memory), stepped(memory, token, 'cancel'));
  if (method === CREATE) {
    if (params[LSP_EVENT_KEY] === null) return { ok: true, events: [] };
    const native = nativeOf(NAME, 'create', { token, request: frame['id'] });
    return remembered(
      finish({ ...placed(context, id), ...attempt(undefined, token), state: 'pending', native }, []),
      stepped(memory, token, 'create'),
    );
  }
  const { value } = params;
  if (!isObject(value) || typeof value['kind'] !== 'string') return { ok: true, events: [] };
  return decodeValue(value, value['kind'], context, id, token, memory);
}

function cancelled(context: DecodeContext, id: Id, token: LspToken, memory?: LspMemory): Decoded<never> {
  const event = { ...placed(context, id), ...attempt(memory, token), cancelRequested: true };
  return finish({ ...event, native: nativeOf(NAME, undefined, { token }) }, []);
}

function attempt(memory: LspMemory | undefined, token: LspToken): { attempt?: number } {
  const number = knownToken(memory, token).attempt + (ownToken(token)?.attempt ?? 1) - 1;
  return number === 1 ? {} : { attempt: number };
}

function decodeValue(
  value: Record<string, unknown>,
  kind: string,
  context: DecodeContext,
  id: Id,
  token: LspToken,
  memory?: LspMemory,
): Decoded<LspMemory> {
  const mended: Issue[] = [];
  const own = value[LSP_EVENT_KEY];
  if (own === null) return { ok: true, events: [] };
  if (own !== undefined) {
    const event = wholeEvent(own, '/params/value/sitrep~1event', context, mended, (each) => fits(each, kind));
    if (event !== undefined) return finish(event, mended);
  }
  const next = kind === 'begin' || kind === 'end' ? stepped(memory, token, kind) : memory;
  if (!KINDS.includes(kind)) addIssue(mended, '/params/value/kind', 'enum', 'must be begin, report or end and was read as pending.');
  const { percentage } = value;
  const isCancelled = kind === 'end' && knownToken(memory, token).cancelled;
  const decoded = finish(
    {
      ...placed(context, id),
      ...attempt(next, token),
      state: kind === 'end' ? (isCancelled ? 'cancelled' : 'completed') : KINDS.includes(kind) ? 'running' : 'pending',
      ...present({
        title: kind === 'begin' ? readText(value['title'], LIMITS.title, '/params/value/title', mended) : undefined,
        message: readText(value['message'], LIMITS.message, '/params/value/message', mended),
        fraction: kind === 'end' ? undefined : readPercentage(percentage, mended),
        cancellable: typeof value['cancellable'] === 'boolean' ? value['cancellable'] : undefined,
      }),
      native: nativeOf(NAME, kind, { token, percentage: typeof percentage === 'number' ? percentage : undefined }),
    },
    mended,
  );
  return remembered(decoded, next);
}

function remembered(decoded: Decoded<never>, memory: LspMemory | undefined): Decoded<LspMemory> {
  return decoded.ok && memory !== undefined ? { ...decoded, memory } : decoded;
}

function readPercentage(value: unknown, mended: Issue[]): number | undefined {
  const percent = readNumber(value, '/params/value/percentage', mended);
  if (percent === undefined || (percent >= 0 && percent <= 100)) return percent === undefined ? undefined : percent / 100;
  addIssue(mended, '/params/value/percentage', 'range', 'must be 0 to 100 and was clamped.');
  return percent < 0 ? 0 : 1;
}

/** A value that ends and an event that does not, or the other way round, cannot both be true. */
function fits(event: ProgressEvent, kind: string): boolean {
  if (event.type === 'operation.clear') return kind === 'end';
  return event.type === 'operation' && (kind === 'end') === (event.state !== undefined && isFinal(event.state));
}
