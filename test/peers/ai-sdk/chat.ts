import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUIMessageStream, DefaultChatTransport, pipeUIMessageStreamToResponse, readUIMessageStream } from 'ai';
import type { UIMessage, UIMessageChunk, UIMessageStreamWriter } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { aiSdk } from '@sitrep/schema/dialect/ai-sdk';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';

type StreamPart = MockLanguageModelV3['doStream'] extends (...args: never[]) => PromiseLike<{ stream: ReadableStream<infer Part> }>
  ? Part
  : never;

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What the model says when it is asked once. */
export type Turn = readonly StreamPart[];

/** A call the model makes. */
export const call = (toolCallId: string, toolName: string, input: object = {}): StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

/** A model that says these things, one list for each time it is asked. */
export function model(...turns: readonly Turn[]): MockLanguageModelV3 {
  const streams = turns.map((parts) => {
    const unified = parts.some(({ type }) => type === 'tool-call') ? ('tool-calls' as const) : ('stop' as const);
    const finish: StreamPart = { type: 'finish', finishReason: { unified, raw: unified }, usage: USAGE };
    return {
      stream: simulateReadableStream({
        chunks: [{ type: 'stream-start', warnings: [] } as StreamPart, ...parts, finish],
        chunkDelayInMs: null,
      }),
    };
  });
  return new MockLanguageModelV3({ doStream: streams });
}

/** What came to the client. */
export interface Told {
  readonly chunks: readonly UIMessageChunk[];
  /** The message as the SDK's own reader put it together. */
  readonly message: UIMessage | undefined;
  readonly error: string | undefined;
  /** Our records, read from the same chunks. */
  readonly ours: SessionIndex;
}

/** A chat behind real HTTP: every POST runs `answer`, every GET sends what the newest answer has said so far from its beginning. */
export async function chat(answer: (writer: UIMessageStreamWriter, messages: readonly UIMessage[]) => void | Promise<void>): Promise<{
  post(messages?: UIMessage[], abortSignal?: AbortSignal): Promise<Told>;
  reconnect(): Promise<Told | undefined>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  let kept: UIMessageChunk[] = [];
  const send = (stream: ReadableStream<UIMessageChunk>, response: ServerResponse): void => {
    void pipeUIMessageStreamToResponse({ stream, response });
  };
  const server = createServer((request, response) => {
    const body: Buffer[] = [];
    request.on('data', (piece: Buffer) => void body.push(piece));
    request.on('end', () => {
      if (request.method === 'GET') return send(simulateReadableStream({ chunks: kept, chunkDelayInMs: null }), response);
      const { messages } = JSON.parse(Buffer.concat(body).toString()) as { messages: UIMessage[] };
      kept = [];
      const keep = new TransformStream<UIMessageChunk, UIMessageChunk>({
        transform(chunk, controller) {
          kept.push(chunk);
          controller.enqueue(chunk);
        },
      });
      const stream = createUIMessageStream({
        originalMessages: messages,
        execute: async ({ writer }) => {
          await answer(writer, messages);
        },
        onError: (error) => (error as Error).message,
      });
      return send(stream.pipeThrough(keep), response);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const transport = new DefaultChatTransport({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat` });
  return {
    async post(messages = [], abortSignal) {
      const stream = await transport.sendMessages({ chatId: 'c', messages, trigger: 'submit-message', messageId: undefined, abortSignal });
      return collect(stream, messages.at(-1));
    },
    async reconnect() {
      const stream = await transport.reconnectToStream({ chatId: 'c' });
      return stream === null ? undefined : collect(stream);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}

/** Reads a stream with the SDK's reader and with ours. `last` is the message it goes on with. */
export async function collect(stream: ReadableStream<UIMessageChunk>, last?: UIMessage): Promise<Told> {
  const chunks: UIMessageChunk[] = [];
  const ours = createReading(last);
  // Kept as it came: the SDK's reader goes on to change the objects it is given.
  const kept = new TransformStream<UIMessageChunk, UIMessageChunk>({
    transform(chunk, controller) {
      chunks.push(structuredClone(chunk));
      ours.take(chunk);
      controller.enqueue(chunk);
    },
  });
  let message: UIMessage | undefined;
  let error: string | undefined;
  const going = last?.role === 'assistant' ? { message: structuredClone(last) } : {};
  try {
    const messages = readUIMessageStream({
      stream: stream.pipeThrough(kept),
      ...going,
      terminateOnError: true,
      onError: (failure) => void (error = String(failure)),
    });
    for await (const each of messages) message = each;
  } catch (failure) {
    error ??= String(failure);
  }
  return { chunks, message, error, ours: ours.index };
}

interface Reading {
  readonly index: SessionIndex;
  take(frame: unknown): void;
}

function createReading(last?: UIMessage): Reading {
  const index = new SessionIndex('chat-1');
  const decoder = createDecoder(aiSdk, { session: 'chat-1' });
  const take = (frame: unknown): void => {
    const decoded = decoder.decode(frame, 1);
    if (decoded.ok) for (const event of decoded.events) index.apply(event);
  };
  if (last?.role === 'assistant') take(last);
  return { index, take };
}

/** Our records of chunks that nobody sent over a wire. */
export function recordsOf(frames: readonly unknown[]): SessionIndex {
  const { index, take } = createReading();
  frames.forEach(take);
  return index;
}
