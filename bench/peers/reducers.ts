/** How others keep the state of many live items: the same events, in the form each of them takes. */
import { defaultApplyEvents } from '@ag-ui/client';
import { EventType, type BaseEvent, type Message } from '@ag-ui/core';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { Observable } from 'rxjs';
import { isFinal } from '@sitrep/schema/wire';
import type { OperationEvent } from '@sitrep/schema/wire';
import { sink } from '../harness.ts';

/** Texts of events, ready to be parsed one by one. */
export type Texts = readonly string[];

const isOld = (before: OperationEvent | undefined, event: OperationEvent) =>
  before !== undefined && ((before.seq ?? -1) >= (event.seq ?? 0) || (before.state !== undefined && isFinal(before.state)));

/** A reducer as tutorials have it: a fresh object of all items for every event. */
export function spreading(texts: Texts): void {
  let state: Readonly<Record<string, OperationEvent>> = {};
  for (const text of texts) {
    const event = JSON.parse(text) as OperationEvent;
    const before = state[String(event.id)];
    if (!isOld(before, event)) state = { ...state, [String(event.id)]: { ...before, ...event } };
  }
  sink.value += Object.keys(state).length;
}

/** One Map changed in place, one merged record per event; nothing is checked. */
export function naiveMap(): { apply(event: OperationEvent): void; readonly size: number } {
  const state = new Map<string, OperationEvent>();
  return {
    apply(event) {
      const key = String(event.id);
      const before = state.get(key);
      if (!isOld(before, event)) state.set(key, before === undefined ? event : { ...before, ...event });
    },
    get size() {
      return state.size;
    },
  };
}

/** Data parts of one message of the AI SDK, replaced in place by their id. */
export function aiSdkTexts(events: readonly OperationEvent[]): Texts {
  const chunks: UIMessageChunk[] = [
    { type: 'start', messageId: 'm1' },
    ...events.map((event) => ({ type: 'data-progress' as const, id: String(event.id), data: event })),
    { type: 'finish' },
  ];
  return chunks.map((chunk) => JSON.stringify(chunk));
}

/** Reads such a stream with `readUIMessageStream`; every update yields the message anew. */
export async function aiSdk(texts: Texts): Promise<void> {
  let next = 0;
  const stream = new ReadableStream<UIMessageChunk>({
    pull(controller) {
      if (next < texts.length) controller.enqueue(JSON.parse(texts[next++]!) as UIMessageChunk);
      else controller.close();
    },
  });
  let last: UIMessage | undefined;
  let updates = 0;
  for await (const message of readUIMessageStream({ stream })) {
    last = message;
    updates++;
  }
  if (last === undefined || updates < texts.length - 2) throw new Error(`ai: ${updates} updates of ${texts.length - 2}`);
  sink.value += last.parts.length;
}

/** Activities of one AG-UI run, each snapshot replacing the last of its message. */
export function agUiTexts(events: readonly OperationEvent[]): Texts {
  const of = (event: OperationEvent) => ({
    type: EventType.ACTIVITY_SNAPSHOT,
    messageId: String(event.id),
    activityType: 'PROGRESS',
    content: event,
    replace: true,
  });
  const run = { threadId: 't', runId: 'r' };
  const all = [{ type: EventType.RUN_STARTED, ...run }, ...events.map(of), { type: EventType.RUN_FINISHED, ...run }];
  return all.map((event) => JSON.stringify(event));
}

/** Applies such a run with the client's own `defaultApplyEvents`. */
export async function agUi(texts: Texts): Promise<void> {
  const events = new Observable<BaseEvent>((subscriber) => {
    for (const text of texts) subscriber.next(JSON.parse(text) as BaseEvent);
    subscriber.complete();
  });
  const input = { threadId: 't', runId: 'r', messages: [], state: {}, tools: [], context: [], forwardedProps: {} };
  // The client brings its own copies of rxjs and core: the same objects to run, other types to the compiler.
  type Wanted = Parameters<typeof defaultApplyEvents>;
  const source = events as unknown as Wanted[1];
  const agent = { messages: [], state: {}, agentId: 'a', threadId: 't' } as unknown as Wanted[2];
  let messages: readonly Message[] = [];
  let mutations = 0;
  await new Promise<void>((resolve, reject) => {
    defaultApplyEvents(input, source, agent, []).subscribe({
      next(mutation) {
        mutations++;
        if (mutation.messages) messages = mutation.messages;
      },
      complete: resolve,
      error: reject,
    });
  });
  if (messages.length === 0 || mutations < texts.length - 2) throw new Error(`AG-UI: ${mutations} mutations of ${texts.length - 2}`);
  sink.value += messages.length;
}
