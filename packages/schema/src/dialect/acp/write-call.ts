import type { OperationEvent } from '../../wire/operation.ts';
import type { SessionView } from '../dialect.ts';
import { present } from '../finish.ts';
import { nativeId, nativeState } from '../native.ts';
import { sameEvent } from '../same-event.ts';
import { sayingOf } from '../saying.ts';
import { titleText } from '../text-out.ts';
import { readCall } from './read-call.ts';
import { meaningIn, metaOf, toolKind } from './words.ts';
import type { AcpWords } from './words.ts';

/** A tool call as it is written, whole or a patch. */
export interface AcpCallUpdate {
  readonly sessionUpdate: 'tool_call' | 'tool_call_update';
  readonly toolCallId: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: string | null;
  readonly status?: string;
  readonly content?: readonly {
    readonly type: 'content';
    readonly content: { readonly type: 'text'; readonly text: string };
  }[];
  readonly capabilities?: { readonly cancel: object } | null;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The peer's name for an operation. It knows no runs, and no numbers beside texts. */
export function callIdOf(event: OperationEvent, { name }: AcpWords): string {
  return String(nativeId(event, name, 'toolCallId') ?? event.id);
}

/** The peer's word for the state an event brings; undefined when it brings none. */
export function statusOf(event: OperationEvent, words: AcpWords): string | undefined {
  const { state, blockedOn } = event;
  if (state === undefined) return undefined;
  return givenBack(event, words) ?? words.out(state, state === 'blocked' && blockedOn?.kind === 'permission');
}

/** The peer's own word, where it means our state; the first version's list is closed, so that a word beside it is not sent. */
function givenBack(event: OperationEvent, words: AcpWords): string | undefined {
  const word = nativeState(event, words.name, meaningIn(words));
  return word !== undefined && words.version === 1 && words.states[word] === undefined ? undefined : word;
}

/**
 * An event as an update of a call. What the peer reads out of it is all there is to say: then, and only if the event came
 * from this peer, it goes back in the peer's words alone. Otherwise it travels along.
 */
export function writeCall(event: OperationEvent, before: SessionView | undefined, words: AcpWords): AcpCallUpdate {
  const held = before?.find(event.id, event.run);
  const isFirst = held === undefined || (event.attempt ?? 1) > held.attempt;
  const { kind, tool, cancellable } = event;
  const former = isFirst ? undefined : (held as Partial<OperationEvent> | undefined);
  const update: AcpCallUpdate = {
    sessionUpdate: isFirst && words.announces ? 'tool_call' : 'tool_call_update',
    toolCallId: callIdOf(event, words),
    ...present({
      title: titleOf(event, former, held, words),
      name: tool === null && words.nullClears ? null : tool?.name,
      kind: kind === null && words.nullClears ? null : typeof kind === 'string' ? toolKind(kind) : undefined,
      status: statusOf(event, words),
      content: contentOf(event, former, words),
      capabilities: words.version === 1 || cancellable === undefined ? undefined : cancellable === true ? { cancel: {} } : null,
    }),
  };
  return isSaid(event, update, isFirst, words) ? update : { ...update, _meta: metaOf(event, words) };
}

function titleOf(
  event: OperationEvent,
  former: Partial<OperationEvent> | undefined,
  held: object | undefined,
  words: AcpWords,
): string | null | undefined {
  const { title, activeTitle, native } = event;
  const mustHave = words.announces || native?.protocol !== words.name;
  if (former === undefined) return mustHave ? titleText({ ...held, ...event }) : (title ?? undefined);
  if (typeof title === 'string' || (title === null && words.nullClears)) return title;
  if (title === undefined && activeTitle === undefined) return undefined;
  const now = titleText({ ...former, ...event });
  return now === titleText(former as OperationEvent) ? undefined : now;
}

/** What there is to say beside the title, written when it changed: the peer replaces the whole of it. */
function contentOf(
  event: OperationEvent,
  former: Partial<OperationEvent> | undefined,
  words: AcpWords,
): AcpCallUpdate['content'] | undefined {
  const text = saying({ ...former, ...event } as OperationEvent, words);
  const before = former === undefined ? '' : saying(former as OperationEvent, words);
  if (text === before) return undefined;
  return text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

function saying(event: OperationEvent, words: AcpWords): string {
  const { state } = event;
  // A word of the peer's own needs no other beside it.
  const isGivenBack = state !== undefined && givenBack(event, words) !== undefined;
  return sayingOf(event, isGivenBack ? [...words.known, state] : words.known);
}

/** True when the event is of this peer and comes out of the bare update as it is. */
function isSaid(event: OperationEvent, update: AcpCallUpdate, isFirst: boolean, words: AcpWords): boolean {
  if (event.native?.protocol !== words.name) return false;
  const { session, id, run, attempt, parent, at, native } = event;
  const place = { session, id, ...present({ run, attempt, parent }), at } as const;
  const word = event.state === undefined ? native.state : undefined;
  const frame = { update: update as unknown as Record<string, unknown>, path: '', sessionId: native.ids?.['sessionId'], isFirst, word };
  return sameEvent(event, readCall(frame, place, words, []));
}
