/**
 * MCP `notifications/progress`: `{progressToken, progress, total?, message?, _meta?}`. The token belongs to the request it
 * came with, not to us: whoever sent the request gives the id of the operation in the context; without one the token
 * itself, text or integer, 0 included, is the id. It never ends an operation: only the response does.
 *
 * Out: our whole event travels in `params._meta` under `sitrep/event`, and comes back from there as long as the numbers
 * beside it still agree. A peer that does not know the key sees progress, total and message.
 *
 * Lost on the way out to such a peer: every state, the title (sent as message when there is no other), units, plan, parent,
 * times, usage. An event without any amount sends its sequence, else 0, as the value MCP demands. Without the slot nothing
 * ends. Cards, runs, sessions and clears have no notification.
 */
import { checkEvent } from '../check/check-event.ts';
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { Id } from '../wire/scalars.ts';
import type { Decoded, DecodeContext, Dialect } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { nativeId, nativeOf } from './native.ts';
import { readId, readText, readTotal } from './reading.ts';
import { guarded } from './guarded.ts';

/** Key of our event in `params._meta`. */
export const MCP_EVENT_KEY = 'sitrep/event';

/** The parameters of the notification. */
export interface McpProgressParams {
  readonly progressToken: string | number;
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
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
  const whole = embedded(params, id, context, base, mended);
  if (whole !== undefined) return finish(whole, mended);
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

/** Our own event from the extension slot, put into this session, if the numbers beside it are its own. */
function embedded(
  params: Record<string, unknown>,
  id: Id,
  context: DecodeContext,
  base: string,
  mended: Issue[],
): OperationEvent | undefined {
  const meta = params['_meta'];
  const value = isObject(meta) ? meta[MCP_EVENT_KEY] : undefined;
  if (value === undefined) return undefined;
  const checked = checkEvent(value);
  if (checked.ok && checked.value.type === 'operation' && agrees(params, checked.value)) return rebound(checked.value, id, context);
  addIssue(mended, `${base}/_meta`, 'conflict', `holds a ${MCP_EVENT_KEY} that does not match the notification and was ignored.`);
  return undefined;
}

function agrees(params: Record<string, unknown>, event: OperationEvent): boolean {
  const expected = visible(event);
  return params['progress'] === expected.progress && params['total'] === expected.total && params['message'] === expected.message;
}

/** The sender's session, run and id are its own affair; here the receiver's count, where it names them. */
function rebound(event: OperationEvent, id: Id, context: DecodeContext): OperationEvent {
  const { session, run, parent } = context;
  return {
    ...event,
    session,
    id: context.id === undefined ? event.id : id,
    ...(run === undefined ? undefined : { run }),
    ...(parent === undefined || event.parent !== undefined ? undefined : { parent }),
  };
}

/** What a peer without the slot sees of an event. */
function visible(event: OperationEvent): { progress: number; total?: number; message?: string } {
  const { current, total, fraction, message, title, activeTitle, seq } = event;
  const text = present({ message: message ?? activeTitle ?? title ?? undefined });
  if (typeof current === 'number')
    return { progress: current, ...(typeof total === 'number' && total > 0 ? { total } : undefined), ...text };
  if (typeof fraction === 'number') return { progress: fraction, total: 1, ...text };
  return { progress: seq ?? 0, ...text };
}

function encodeOperation(event: OperationEvent): McpProgressFrame {
  const progressToken = nativeId(event, NAME, 'progressToken') ?? event.id;
  return { jsonrpc: '2.0', method: METHOD, params: { progressToken, ...visible(event), _meta: { [MCP_EVENT_KEY]: event } } };
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
