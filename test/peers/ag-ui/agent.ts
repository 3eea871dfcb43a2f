import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpAgent } from '@ag-ui/client';
import type { BaseEvent, Message } from '@ag-ui/core';
import { EventEncoder } from '@ag-ui/encoder';
import type { ProgressEvent } from '@sitrep/schema';
import { agUi } from '@sitrep/schema/dialect/ag-ui';
import type { AgUiFrame } from '@sitrep/schema/dialect/ag-ui';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';

/** What one run of the peer's client came to. */
export interface Ran {
  /** Events the client handed to its subscribers, after its own checks. */
  readonly events: readonly BaseEvent[];
  /** The conversation the client holds afterwards. */
  readonly messages: readonly Message[];
  /** Why the client gave the stream up, or undefined. */
  readonly error: string | undefined;
  /** Our records, read from the events the client handed on. */
  readonly ours: SessionIndex;
  /** What our decoder refused. */
  readonly refused: readonly string[];
}

/** How the frames go over the wire. */
export type Form = 'sse' | 'one-write' | 'protobuf';

/** Serves the frames once over HTTP to the peer's own client, which verifies them, and reads what it handed on. */
export async function run(frames: readonly AgUiFrame[], form: Form = 'sse', messages: Message[] = []): Promise<Ran> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const encoder = new EventEncoder({ accept: form === 'protobuf' ? 'application/vnd.ag-ui.event+proto' : 'text/event-stream' });
      response.writeHead(200, { 'content-type': encoder.getContentType() });
      if (form === 'one-write') return response.end(frames.map((frame) => encoder.encodeSSE(frame as never)).join(''));
      for (const frame of frames) response.write(form === 'sse' ? encoder.encodeSSE(frame as never) : encoder.encodeBinary(frame as never));
      return response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new HttpAgent({ url: `http://127.0.0.1:${port}/`, threadId: 'chat-1', initialMessages: messages });
  const events: BaseEvent[] = [];
  let error: string | undefined;
  try {
    await agent.runAgent(
      {},
      {
        onEvent: ({ event }) => void events.push(event),
        onRunFailed: ({ error: failure }) => void (error = failure.message),
      },
    );
  } catch (failure) {
    error ??= (failure as Error).message;
  }
  server.close();
  return { events, messages: agent.messages, error, ...read(events) };
}

/** Our records from the events of a stream. */
export function read(events: readonly unknown[]): { ours: SessionIndex; refused: string[] } {
  const ours = new SessionIndex('chat-1');
  const decoder = createDecoder(agUi, { session: 'chat-1' });
  const refused: string[] = [];
  for (const event of events) {
    const decoded = decoder.decode(event, 1);
    if (!decoded.ok) refused.push(decoded.issues.map(({ message }) => message).join(' '));
    else for (const each of decoded.events) ours.apply(each);
  }
  return { ours, refused };
}

/** Our events as frames, in one session. */
export function written(events: readonly ProgressEvent[]): AgUiFrame[] {
  const encoder = createEncoder(agUi, 'chat-1');
  return events.flatMap((event) => encoder.encode(event));
}

/** The session our events make, without any peer between. */
export function direct(events: readonly ProgressEvent[]): SessionIndex {
  const index = new SessionIndex('chat-1');
  for (const event of events) index.apply(event);
  return index;
}
