/**
 * Tool loops of the OpenAI API, with a reporter for each call: Chat Completions and Responses, whole answers and streams.
 * By shape alone, so that any client of that API will do.
 *
 * ```ts
 * const message = await collectChatMessage(await client.chat.completions.create({ ...request, stream: true }));
 * messages.push(message, ...(await runChatTools(message, tools, { sink, session: 'chat-1', run: 'turn-7' })));
 * ```
 */
import { isContent, readCall, runCalls, textOf } from './run-calls.ts';
import type { ToolCall, ToolLoopOptions, ToolTable } from './run-calls.ts';
import { cutOff, throwFault } from './stream-fault.ts';

export type { ToolCall, ToolCallContext, ToolFunction, ToolLoopOptions, ToolTable } from './run-calls.ts';

/** A call in a chat message. */
export type ChatToolCall =
  | { readonly id: string; readonly type: 'function'; readonly function: { readonly name: string; readonly arguments: string } }
  | { readonly id: string; readonly type: 'custom'; readonly custom: { readonly name: string; readonly input: string } };

/** The part of an assistant's chat message that asks for tools. */
export interface ChatMessageLike {
  readonly tool_calls?: readonly ChatToolCall[] | null | undefined;
}

/** What a call answers in a chat. */
export interface ChatToolMessage {
  role: 'tool';
  tool_call_id: string;
  content: string | { type: 'text'; text: string }[];
}

/** Runs what a chat message asks for; the messages that answer it, in order, empty when it asks for nothing. */
export async function runChatTools(message: ChatMessageLike, tools: ToolTable, options: ToolLoopOptions): Promise<ChatToolMessage[]> {
  const calls = (message.tool_calls ?? []).map((call): ToolCall => {
    // Servers that only look like that API leave things out.
    const { id, function: asked, custom } = call as Partial<Parts>;
    if (custom !== undefined) return { ...readCall(id, custom.name, undefined), input: custom.input };
    return readCall(id, asked?.name, asked?.arguments);
  });
  const outcomes = await runCalls(calls, tools, options);
  return outcomes.map(({ call, value }) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: isContent(value, ['text']) ? (value as { type: 'text'; text: string }[]) : textOf(value),
  }));
}

interface Parts {
  readonly id: unknown;
  readonly function: { readonly name?: unknown; readonly arguments?: unknown };
  readonly custom: { readonly name?: unknown; readonly input?: unknown };
}

/** The part of a chunk of a streamed chat that builds the message. */
export interface ChatChunkLike {
  readonly choices?: readonly {
    readonly index: number;
    readonly finish_reason?: string | null | undefined;
    readonly delta: {
      readonly content?: string | null | undefined;
      readonly refusal?: string | null | undefined;
      readonly tool_calls?:
        | readonly {
            readonly index?: number | undefined;
            readonly id?: string | undefined;
            readonly type?: string | undefined;
            readonly function?: { readonly name?: string | undefined; readonly arguments?: string | undefined } | undefined;
          }[]
        | undefined;
    };
  }[];
}

/** An assistant's message, put together from its chunks. */
export interface ChatMessage {
  role: 'assistant';
  content: string | null;
  refusal?: string;
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[];
}

/** The message of a streamed chat: its first choice. `onChunk` sees every chunk as it comes. Rejects with an error the API sends in it, and
 * when it ends in the middle of a call. */
export async function collectChatMessage<Chunk extends ChatChunkLike>(
  stream: AsyncIterable<Chunk>,
  onChunk?: (chunk: Chunk) => void,
): Promise<ChatMessage> {
  let content = '';
  let refusal = '';
  let isFinished = false;
  const calls: Indexed[] = [];
  for await (const chunk of stream) {
    onChunk?.(chunk);
    throwFault(chunk);
    const choice = chunk.choices?.find(({ index }) => index === 0);
    if (typeof choice?.finish_reason === 'string') isFinished = true;
    const delta = choice?.delta;
    content += delta?.content ?? '';
    refusal += delta?.refusal ?? '';
    for (const part of delta?.tool_calls ?? []) {
      const { call } = callOf(calls, part.index, part.id);
      if (part.id !== undefined && part.id !== '') call.id = part.id;
      // Names and arguments come in pieces.
      call.function.name += part.function?.name ?? '';
      call.function.arguments += part.function?.arguments ?? '';
    }
  }
  const toolCalls = calls.map(({ call }) => call);
  // Some servers never say that they have finished; then only what cannot be whole counts as cut off.
  const cut = isFinished
    ? undefined
    : toolCalls.find((call) => readCall(call.id, call.function.name, call.function.arguments).fault !== undefined);
  if (cut !== undefined) throw cutOff(cut.function.name);
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    ...(refusal === '' ? undefined : { refusal }),
    ...(toolCalls.length === 0 ? undefined : { tool_calls: toolCalls }),
  };
}

interface Indexed {
  readonly index: number | undefined;
  readonly call: { id: string; type: 'function'; function: { name: string; arguments: string } };
}

/**
 * The call that a piece belongs to: by its index, unless it brings another id, which begins a call whatever its index says.
 * Some servers give every call the same index, or none.
 */
function callOf(calls: Indexed[], index: number | undefined, id: string | undefined): Indexed {
  const found = calls.findLast((each) => each.index === index);
  if (found !== undefined && (id === undefined || id === '' || found.call.id === '' || found.call.id === id)) return found;
  const made: Indexed = { index, call: { id: '', type: 'function', function: { name: '', arguments: '' } } };
  const at = index === undefined ? -1 : calls.findIndex((each) => each.index !== undefined && each.index > index);
  calls.splice(at < 0 ? calls.length : at, 0, made);
  return made;
}

/** The part of a response that asks for tools. */
export interface ResponseLike {
  readonly output: readonly { readonly type: string }[];
}

/** What a call answers in a list of input items. */
export interface ResponseToolOutput {
  type: 'function_call_output' | 'custom_tool_call_output';
  call_id: string;
  output: string;
}

/** Runs what a response asks for; the input items that answer it, in order, empty when it asks for nothing. */
export async function runResponseTools(response: ResponseLike, tools: ToolTable, options: ToolLoopOptions): Promise<ResponseToolOutput[]> {
  const custom = new Set<string>();
  const calls = response.output.flatMap((item): ToolCall[] => {
    const { type, call_id: id, name, arguments: text, input } = item as Readonly<Record<string, unknown>>;
    if (type === 'function_call') return [readCall(id, name, text)];
    if (type !== 'custom_tool_call') return [];
    const call: ToolCall = { ...readCall(id, name, undefined), input };
    custom.add(call.id);
    return [call];
  });
  const outcomes = await runCalls(calls, tools, options);
  return outcomes.map(({ call, value }) => ({
    type: custom.has(call.id) ? 'custom_tool_call_output' : 'function_call_output',
    call_id: call.id,
    output: textOf(value),
  }));
}

/** The part of an event of a streamed response that builds the response. */
export interface ResponseEventLike {
  readonly type: string;
}

/** The output of a streamed response. `onEvent` sees every event as it comes. Rejects with an error the API sends in it. */
export async function collectResponse<Event extends ResponseEventLike>(
  stream: AsyncIterable<Event>,
  onEvent?: (event: Event) => void,
): Promise<ResponseLike> {
  const items = new Map<number, ResponseLike['output'][number]>();
  let whole: ResponseLike | undefined;
  for await (const event of stream) {
    onEvent?.(event);
    if (event.type === 'error') throwFault(event);
    const {
      type,
      output_index: index,
      item,
      response,
    } = event as Event & { output_index?: number; item?: ResponseLike['output'][number]; response?: ResponseLike };
    if (type === 'response.output_item.done' && index !== undefined && item !== undefined) items.set(index, item);
    // What the API says of the whole at the end stands before what was put together.
    if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed') whole = response;
  }
  const output = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  return whole !== undefined && whole.output.length >= output.length ? whole : { output };
}
