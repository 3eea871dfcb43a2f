import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One task as a reader of the message sees it. */
export interface ShownTask {
  title: string;
  status: string;
  details?: string;
  output?: string;
}

/** One streamed message. */
export interface ShownMessage {
  readonly mode: string;
  plan?: string;
  readonly tasks: Map<string, ShownTask>;
  streaming: boolean;
  /** Requests that wrote it. */
  requests: number;
}

/** Title and status are replaced; details and output are appended to what stands there. */
function shownAfter(shown: ShownTask | undefined, task: ShownTask): ShownTask {
  const after: ShownTask = { ...shown, title: task.title, status: task.status };
  if (task.details !== undefined) after.details = (shown?.details ?? '') + task.details;
  if (task.output !== undefined) after.output = (shown?.output ?? '') + task.output;
  return after;
}

const STATUSES = new Set(['pending', 'in_progress', 'complete', 'error']);

/**
 * The part of Slack's HTTP API that streams messages, on 127.0.0.1: it takes what is documented, refuses the rest by the words the
 * API has for it, and asks to wait when it is told to.
 */
export async function startWorkspace() {
  const messages = new Map<string, ShownMessage>();
  let limited = 0;
  let waits = 0;
  const server = createServer((request, response) => void handle(request, response));

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += String(part);
    if (limited > 0) {
      limited -= 1;
      waits += 1;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    }
    const answer = call(new URL(request.url ?? '/', 'http://x').pathname, new URLSearchParams(text));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  function call(path: string, body: URLSearchParams): object {
    if (body.get('channel') === null || body.get('channel') === 'C404') return { ok: false, error: 'channel_not_found' };
    if (path === '/api/chat.startStream') return start(body);
    const message = messages.get(body.get('ts') ?? '');
    if (message === undefined) return { ok: false, error: 'message_not_found' };
    if (!message.streaming) return { ok: false, error: 'message_not_in_streaming_state' };
    const error = write(message, body);
    if (error !== undefined) return { ok: false, error };
    if (path === '/api/chat.stopStream') message.streaming = false;
    return { ok: true, channel: body.get('channel'), ts: body.get('ts') };
  }

  function start(body: URLSearchParams): object {
    if (body.get('thread_ts') === null) return { ok: false, error: 'invalid_thread_ts' };
    const message: ShownMessage = { mode: body.get('task_display_mode') ?? 'timeline', tasks: new Map(), streaming: true, requests: 0 };
    const error = write(message, body);
    if (error !== undefined) return { ok: false, error };
    const ts = `1700000000.${String(messages.size).padStart(6, '0')}`;
    messages.set(ts, message);
    return { ok: true, channel: body.get('channel'), ts };
  }

  function write(message: ShownMessage, body: URLSearchParams): string | undefined {
    message.requests += 1;
    for (const chunk of JSON.parse(body.get('chunks') ?? '[]') as Record<string, unknown>[]) {
      const long = Object.values(chunk).some((value) => typeof value === 'string' && [...value].length > 256);
      if (long || typeof chunk['title'] !== 'string' || chunk['title'] === '') return 'invalid_chunks';
      if (chunk['type'] === 'plan_update') {
        message.plan = chunk['title'];
        continue;
      }
      const { type, id, ...task } = chunk;
      if (type !== 'task_update' || typeof id !== 'string' || id === '' || !STATUSES.has(String(task['status']))) return 'invalid_chunks';
      message.tasks.set(id, shownAfter(message.tasks.get(id), task as unknown as ShownTask));
    }
    return undefined;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    messages,
    /** The next `count` requests are answered with 429 and a second to wait. */
    limit(count: number): void {
      limited = count;
    },
    get waits(): number {
      return waits;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
