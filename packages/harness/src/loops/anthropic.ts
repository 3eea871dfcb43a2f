/**
 * Tool loops of the Anthropic API, with a reporter for each `tool_use`: whole messages and streams. By shape alone, so that
 * any client of that API will do.
 *
 * ```ts
 * const message = await collectMessage(await client.messages.create({ ...request, stream: true }));
 * const content = await runMessageTools(message, tools, { sink, session: 'chat-1', run: 'turn-7' });
 * messages.push({ role: 'assistant', content: message.content }, { role: 'user', content });
 * ```
 */
import { isContent, readCall, runCalls, textOf } from './run-calls.ts';
import type { ToolCall, ToolLoopOptions, ToolTable } from './run-calls.ts';
import { throwFault } from './stream-fault.ts';

export type { ToolCall, ToolCallContext, ToolFunction, ToolLoopOptions, ToolTable } from './run-calls.ts';

/** The part of a message that asks for tools. */
export interface MessageLike {
  readonly content: readonly { readonly type: string }[];
}

/** What a call answers; content parts of the API (texts, images, documents) pass as they are. */
export interface ToolResultBlock<Part = never> {
  type: 'tool_result';
  tool_use_id: string;
  content: string | Part[];
  is_error?: true;
}

const PARTS = ['text', 'image', 'document', 'search_result', 'tool_reference'];

/** Runs what a message asks for; the blocks that answer it, in order, empty when it asks for nothing. Tools of the API's own servers are not run. */
export async function runMessageTools<Part = never>(
  message: MessageLike,
  tools: ToolTable,
  options: ToolLoopOptions,
): Promise<ToolResultBlock<Part>[]> {
  const calls = message.content.flatMap((block): ToolCall[] => {
    if (block.type !== 'tool_use') return [];
    const { id, name, input, [FAULT]: fault } = block as Partial<ToolUse>;
    return [{ ...readCall(id, name, undefined), input: input ?? {}, fault }];
  });
  const outcomes = await runCalls(calls, tools, options);
  return outcomes.map(({ call, value, isError }) => ({
    type: 'tool_result',
    tool_use_id: call.id,
    content: isContent(value, PARTS) ? (value as Part[]) : textOf(value),
    ...(isError ? { is_error: true } : undefined),
  }));
}

/** Why the input of a collected block could not be read: kept beside the block, where no JSON shows it. */
const FAULT = Symbol('fault');

interface ToolUse {
  readonly type: 'tool_use';
  readonly id: unknown;
  readonly name: unknown;
  input: unknown;
  [FAULT]?: string | undefined;
}

/** The part of an event of a streamed message that builds the message. */
export interface MessageEventLike {
  readonly type: string;
}

/** A message, put together from its events. */
export interface CollectedMessage<Block> {
  role: 'assistant';
  content: Block[];
  stop_reason: string | null;
}

interface Parts {
  readonly index?: number;
  readonly content_block?: Record<string, unknown>;
  readonly delta?: Record<string, unknown>;
}

/** Which member of a block each kind of delta continues. */
const CONTINUED: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

/** The message of a stream. `onEvent` sees every event as it comes. Rejects with an error the API sends in it. */
export async function collectMessage<Event extends MessageEventLike, Block extends { readonly type: string } = BlockOf<Event>>(
  stream: AsyncIterable<Event>,
  onEvent?: (event: Event) => void,
): Promise<CollectedMessage<Block>> {
  const blocks = new Map<number, Record<string | symbol, unknown>>();
  const inputs = new Map<number, string>();
  let stop: string | null = null;
  for await (const event of stream) {
    onEvent?.(event);
    if (event.type === 'error') throwFault(event);
    const { index = 0, content_block: started, delta } = event as Event & Parts;
    if (event.type === 'content_block_start' && started !== undefined) blocks.set(index, { ...started });
    else if (event.type === 'content_block_delta' && delta !== undefined) continueBlock(blocks.get(index), delta, index, inputs);
    else if (event.type === 'message_delta' && typeof delta?.['stop_reason'] === 'string') stop = delta['stop_reason'];
  }
  for (const [index, text] of inputs) {
    const block = blocks.get(index);
    if (block === undefined) continue;
    const { input, fault } = readCall(block['id'], block['name'], text);
    block['input'] = fault === undefined ? input : {};
    if (fault !== undefined) Object.defineProperty(block, FAULT, { value: fault, enumerable: false });
  }
  const content = [...blocks].toSorted(([a], [b]) => a - b).map(([, block]) => block);
  return { role: 'assistant', content: content as unknown as Block[], stop_reason: stop };
}

/** The blocks that a client's own events carry. */
type BlockOf<Event> =
  Extract<Event, { readonly type: 'content_block_start' }> extends { readonly content_block: infer Block extends { readonly type: string } }
    ? Block
    : { readonly type: string };

function continueBlock(
  block: Record<string | symbol, unknown> | undefined,
  delta: Record<string, unknown>,
  index: number,
  inputs: Map<number, string>,
): void {
  if (block === undefined) return;
  const type = String(delta['type']);
  if (type === 'input_json_delta') {
    inputs.set(index, (inputs.get(index) ?? '') + String(delta['partial_json'] ?? ''));
    return;
  }
  if (type === 'citations_delta') {
    block['citations'] = [...((block['citations'] as unknown[] | null | undefined) ?? []), delta['citation']];
    return;
  }
  const key = CONTINUED[type];
  if (key !== undefined) block[key] = String(block[key] ?? '') + String(delta[key] ?? '');
}
