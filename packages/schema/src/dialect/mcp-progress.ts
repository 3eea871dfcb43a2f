/**
 * MCP `notifications/progress`: `{progressToken, progress, total?, message?, _meta?}`. The token belongs to the request it
 * came with, not to us: whoever sent the request gives the id of the operation in the context; without one the token
 * itself, text or integer, 0 included, is the id. It never ends an operation: only the response does. Amounts that repeat
 * or fall are read as they are.
 *
 * Out: our whole event travels in `params._meta` under `sitrep/event`, and comes back from there as long as the numbers
 * beside it still agree. A peer that does not know the key sees progress, total and message. A sender that must write other
 * numbers than the event's own (a value has to rise every time; a nested operation has amounts of its own) says so beside
 * the event, under `sitrep/beside`: the numbers it wrote, and the id of the operation the token stands for.
 *
 * Lost on the way out to such a peer: every state, the title (sent as message when there is no other), units, plan, parent,
 * times, usage. An event without any amount sends its sequence, else 0, as the value MCP demands. Without the slot nothing
 * ends. Cards, runs, sessions and clears have no notification.
 */
import { isObject } from '../check/guards.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { Id } from '../wire/scalars.ts';
import type { Decoded, DecodeContext, Dialect } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { MCP_EVENT_KEY, slotEvent } from './mcp-slot.ts';
import { nativeId, nativeOf } from './native.ts';
import { readId, readText, readTotal } from './reading.ts';

export { MCP_EVENT_KEY } from './mcp-slot.ts';

/** Key in `params._meta` of what a sender wrote beside an event whose own numbers it could not write. */
export const MCP_BESIDE_KEY = 'sitrep/beside';

/** The numbers and the text a peer sees. */
export interface McpProgressAmounts {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What stands under `MCP_BESIDE_KEY`. */
export interface McpProgressBeside extends McpProgressAmounts {
  /** Id of the sender's operation the token stands for; an event with another id is about something inside it. */
  readonly of: Id;
}

/** The parameters of the notification. */
export interface McpProgressParams extends McpProgressAmounts {
  readonly progressToken: string | number;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The notification. */
export interface McpProgressFrame {
  readonly jsonrpc: '2.0';
  readonly method: 'notifications/progress';
  readonly params: McpProgressParams;
}

const NAME = 'mcp';
const METHOD = 'notifications/progress';

/** A token as MCP allows it: any text, also empty, or an integer. */
function readToken(value: unknown): string | number | undefined {
  return typeof value === 'string' || Number.isSafeInteger(value) ? (value as string | number) : undefined;
}

function decode(frame: unknown, context: DecodeContext): Decoded {
  const isNotification = isObject(frame) && frame['method'] === METHOD;
  const params = isNotification ? frame['params'] : frame;
  const base = isNotification ? '/params' : '';
  if (!isObject(params)) return refuse(base, 'type', `must be the parameters of ${METHOD}.`);
  const token = readToken(params['progressToken']);
  const id = context.id ?? readId(token);
  if (id === undefined)
    return refuse(`${base}/progressToken`, 'required', 'must be the token of a request, text or integer, or the caller must give an id.');
  const { progress } = params;
  if (!Number.isFinite(progress))
    return refuse(`${base}/progress`, progress === undefined ? 'required' : 'type', 'must be a finite number.');
  const mended: Issue[] = [];
  const whole = slotEvent(params, base, context, mended, (event) => agrees(params, besideOf(params['_meta']) ?? mcpProgressAmounts(event)));
  if (whole !== undefined) return finish(bound(whole, params, context), mended);
  return finish(
    {
      ...placed(context, id),
      state: 'running',
      current: progress as number,
      total: readTotal(params['total'], `${base}/total`, mended),
      ...present({ message: readText(params['message'], LIMITS.message, `${base}/message`, mended) }),
      native: nativeOf(NAME, undefined, { progressToken: token }),
    },
    mended,
  );
}

function agrees(params: Readonly<Record<string, unknown>>, expected: Readonly<Record<string, unknown>> | McpProgressAmounts): boolean {
  return params['progress'] === expected.progress && params['total'] === expected.total && params['message'] === expected.message;
}

function besideOf(meta: unknown): Readonly<Record<string, unknown>> | undefined {
  const beside = isObject(meta) ? meta[MCP_BESIDE_KEY] : undefined;
  return isObject(beside) && readId(beside['of']) !== undefined ? beside : undefined;
}

/** What the token stands for gets the receiver's id; what is inside it keeps its own, and its parent where that was it. */
function bound(event: OperationEvent, params: Readonly<Record<string, unknown>>, context: DecodeContext): OperationEvent {
  const of = besideOf(params['_meta'])?.['of'];
  if (context.id === undefined) return event;
  if (of === undefined || of === event.id) return { ...event, id: context.id };
  return event.parent === of ? { ...event, parent: context.id } : event;
}

/** What a peer without the slot sees of an event. */
export function mcpProgressAmounts(event: OperationEvent): McpProgressAmounts {
  const { current, total, fraction, message, title, activeTitle, seq } = event;
  const text = present({ message: message ?? activeTitle ?? title ?? undefined });
  if (typeof current === 'number')
    return { progress: current, ...(typeof total === 'number' && total > 0 ? { total } : undefined), ...text };
  if (typeof fraction === 'number') return { progress: fraction, total: 1, ...text };
  return { progress: seq ?? 0, ...text };
}

function encodeOperation(event: OperationEvent): McpProgressFrame {
  const progressToken = nativeId(event, NAME, 'progressToken') ?? event.id;
  return { jsonrpc: '2.0', method: METHOD, params: { progressToken, ...mcpProgressAmounts(event), _meta: { [MCP_EVENT_KEY]: event } } };
}

/** The dialect of MCP progress. */
export const mcpProgress: Dialect<McpProgressFrame> = guarded({
  name: NAME,
  whole: ['operation'],
  detect: (frame) =>
    isObject(frame) && frame['method'] === METHOD && isObject(frame['params']) && readToken(frame['params']['progressToken']) !== undefined,
  decode,
  encode: (event) => (event.type === 'operation' ? [encodeOperation(event)] : []),
});
