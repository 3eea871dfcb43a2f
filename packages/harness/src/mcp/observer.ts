import { mcpProgress } from '@sitrep/schema/dialect/mcp-progress';
import type { OperationEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import { currentReporter } from '../context/current.ts';
import { tell } from '../diagnostic.ts';
import { isObject } from '../json.ts';
import type { Json } from '../json.ts';
import { mintId } from '../reporter/ids.ts';
import { createReporter } from '../reporter/reporter.ts';
import type { Reporter } from '../reporter/types.ts';
import { asToken, firstText, isFailure, isNotification, isRequest, isResponse, objectAt, textAt } from './messages.ts';
import type { Token } from './messages.ts';
import { oldestBeyond } from './oldest.ts';
import type { McpCall, McpTapCounts, McpTapOptions, OpenCall } from './types.ts';

/** How many ended tokens, open tasks and open questions about tasks are kept in mind at most. */
const KEPT = 1000;

/** Reads the messages of one client connection and moves the reporters of its tool calls. Nothing in it throws. */
export class CallObserver {
  readonly #options: McpTapOptions;
  /** Begins every token this observer issues. */
  readonly #prefix = `sitrep-${mintId()}-`;
  readonly #byRequest = new Map<Token, OpenCall>();
  readonly #byToken = new Map<Token, OpenCall>();
  readonly #byTask = new Map<string, OpenCall>();
  /** Requests about a task that wait for their answer, by request id. */
  readonly #aboutTask = new Map<Token, { readonly taskId: string; readonly method: string }>();
  readonly #retired = new Set<Token>();
  readonly #counts = { calls: 0, progress: 0, unknownToken: 0, retiredToken: 0, invalid: 0, nonRising: 0 };
  #server: string | undefined;
  #initialize: Token | undefined;
  #minted = 0;
  #attached = true;

  constructor(options: McpTapOptions) {
    this.#options = options;
    this.#server = options.server;
  }

  get counts(): McpTapCounts {
    return { ...this.#counts, open: this.#byRequest.size + this.#byTask.size };
  }

  /** Reads what the client sends; answers what is to be sent, which differs only by an added token. */
  outgoing(message: unknown): unknown {
    if (!this.#attached) return message;
    return this.#guard(message, () =>
      Array.isArray(message) ? message.map((part: unknown) => this.#outgoing(part)) : this.#outgoing(message),
    );
  }

  /** Reads what the server sends; false when it answers a token the client knows nothing of and must be kept from it. */
  incoming(message: unknown): boolean {
    const foreign = !this.#isOwnProgress(message);
    if (!this.#attached) return foreign;
    this.#guard(undefined, () => {
      for (const part of Array.isArray(message) ? (message as unknown[]) : [message]) this.#incoming(part);
    });
    return foreign;
  }

  /** The transport did not take a message: a call in it will have no answer. */
  sendFailed(message: unknown, error: unknown): void {
    this.#guard(undefined, () => {
      for (const part of Array.isArray(message) ? (message as unknown[]) : [message]) {
        const open = isRequest(part) ? this.#byRequest.get(part.id) : undefined;
        if (open !== undefined) this.#end(open, (reporter) => reporter.fail(error, { reason: 'send_failed' }));
      }
    });
  }

  /** Nothing more will come: what is open ends without an outcome. */
  closed(reason: string): void {
    this.#guard(undefined, () => {
      for (const open of [...this.#byRequest.values(), ...this.#byTask.values()]) this.#end(open, (reporter) => reporter.interrupt(reason));
      this.#aboutTask.clear();
    });
  }

  detach(): void {
    this.closed('detached');
    this.#attached = false;
  }

  #outgoing(message: unknown): unknown {
    if (isRequest(message)) {
      const { id, method } = message;
      const taskId = textAt(message['params'], 'taskId');
      if (method === 'tools/call') return this.#begin(message, id);
      if (method === 'initialize') this.#initialize = id;
      else if (method.startsWith('tasks/') && taskId !== undefined && this.#byTask.has(taskId)) this.#ask(id, taskId, method);
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const params = objectAt(message, 'params');
      const requestId = asToken(params['requestId']);
      const open = requestId === undefined ? undefined : this.#byRequest.get(requestId);
      if (open !== undefined) this.#cancel(open, textAt(params, 'reason'));
    }
    return message;
  }

  #ask(id: Token, taskId: string, method: string): void {
    this.#aboutTask.set(id, { taskId, method });
    const oldest = oldestBeyond(KEPT, this.#aboutTask);
    if (oldest !== undefined) this.#aboutTask.delete(oldest);
  }

  #incoming(message: unknown): void {
    if (isNotification(message)) {
      const params = objectAt(message, 'params');
      if (message.method === 'notifications/progress') this.#progress(message, params);
      else if (message.method === 'notifications/tasks/status' || message.method === 'notifications/tasks') this.#task(params);
    } else if (isResponse(message)) {
      this.#response(message, message.id);
    }
  }

  #begin(request: Json, requestId: Token): unknown {
    const params = objectAt(request, 'params');
    const name = textAt(params, 'name');
    if (name === undefined) return request;
    const before = this.#byRequest.get(requestId);
    if (before !== undefined) this.#end(before, (reporter) => reporter.interrupt('request_id_reused'));

    const meta = objectAt(params, '_meta');
    const given = asToken(meta['progressToken']);
    const progressToken = given ?? `${this.#prefix}${(this.#minted += 1)}`;
    const call: McpCall = { name, arguments: params['arguments'], requestId, progressToken, server: this.#server };
    this.#counts.calls += 1;
    const open: OpenCall = { call, reporter: this.#guard(undefined, () => this.#reporterFor(call)), highest: Number.NEGATIVE_INFINITY };
    this.#byRequest.set(requestId, open);
    this.#retired.delete(progressToken);
    if (this.#byToken.has(progressToken)) {
      this.#tell(
        'token_in_use',
        `Two calls are open with one progress token; progress of the second (${name}) cannot be told apart and is not shown.`,
      );
    } else {
      this.#byToken.set(progressToken, open);
    }
    return given === undefined ? { ...request, params: { ...params, _meta: { ...meta, progressToken } } } : request;
  }

  #reporterFor(call: McpCall): Reporter | undefined {
    const { reporterFor, onProgress: _, server: __, sink, session, ...rest } = this.#options;
    const own = this.#guard(undefined, () => reporterFor?.(call));
    if (own !== undefined) return own;
    const { name, requestId, progressToken, server } = call;
    const tool = server === undefined ? { name, origin: 'mcp' } : { name, origin: 'mcp', server };
    const native = { protocol: mcpProgress.name, ids: { requestId, progressToken } };
    const options = { title: name, kind: 'tool', tool, native, ...rest };
    if (sink !== undefined && session !== undefined) return createReporter({ ...options, sink, session });
    return currentReporter()?.child(options);
  }

  #progress(message: Json, params: Json): void {
    const token = asToken(params['progressToken']);
    const open = token === undefined ? undefined : this.#byToken.get(token);
    if (token === undefined) return this.#invalid('A progress notification without a readable token was dropped.');
    if (open === undefined) return this.#strayed(token);
    const { call, reporter } = open;
    // Only the amounts are read from it: who it belongs to is known here, and a request may have an id no operation can.
    const decoded = mcpProgress.decode(message, { session: reporter?.session ?? 'unreported', id: 'call', at: this.#now() });
    if (!decoded.ok) return this.#invalid(`A progress notification was dropped: ${decoded.issues[0]?.message ?? 'it could not be read.'}`);
    const event = decoded.events.find((candidate): candidate is OperationEvent => candidate.type === 'operation');
    const amount = params['progress'];
    if (event === undefined || typeof amount !== 'number') return this.#invalid('A progress notification said nothing about progress.');

    this.#counts.progress += 1;
    if (amount <= open.highest) {
      this.#counts.nonRising += 1;
      this.#tell('non_rising', `${call.name} reported ${amount} after ${open.highest}; it is shown as it is.`);
    }
    open.highest = Math.max(open.highest, amount);
    const { current, total, fraction, unit, message: text, usage } = event;
    reporter?.update({ current, total, fraction, unit, message: text, usage });
    const known = typeof params['total'] === 'number' ? params['total'] : undefined;
    this.#guard(undefined, () => this.#options.onProgress?.(call, { progress: amount, total: known, message: textAt(params, 'message') }));
  }

  #response(message: Json, id: Token): void {
    const open = this.#byRequest.get(id);
    const about = this.#aboutTask.get(id);
    const result = objectAt(message, 'result');
    if (open !== undefined) {
      if (isFailure(message)) return this.#protocolError(open, objectAt(message, 'error'));
      const task = isObject(result['task']) ? result['task'] : result['resultType'] === 'task' ? result : undefined;
      const taskId = textAt(task, 'taskId');
      if (task === undefined || taskId === undefined) return this.#result(open, result);
      return this.#becomeTask(open, taskId, task);
    }
    if (about !== undefined) {
      this.#aboutTask.delete(id);
      const pending = this.#byTask.get(about.taskId);
      if (about.method !== 'tasks/result') this.#task(result);
      else if (pending !== undefined && isFailure(message)) this.#protocolError(pending, objectAt(message, 'error'));
      else if (pending !== undefined) this.#result(pending, result);
    }
    if (id === this.#initialize) {
      this.#initialize = undefined;
      this.#server ??= textAt(objectAt(result, 'serverInfo'), 'name');
    }
  }

  #result(open: OpenCall, result: Json): void {
    if (result['isError'] !== true) return this.#end(open, (reporter) => reporter.complete());
    const text = firstText(result) ?? `${open.call.name} reported an error.`;
    this.#end(open, (reporter) => reporter.fail(text, { reason: 'tool_error' }));
  }

  #protocolError(open: OpenCall, error: Json): void {
    this.#end(open, (reporter) => reporter.fail(error, { reason: 'protocol_error' }));
  }

  #cancel(open: OpenCall, message: string | undefined): void {
    this.#end(open, (reporter) => reporter.cancel('cancelled_by_client', message === undefined ? undefined : { message }));
  }

  #becomeTask(open: OpenCall, taskId: string, task: Json): void {
    this.#byRequest.delete(open.call.requestId);
    this.#byTask.set(taskId, open);
    const oldest = this.#byTask.get(oldestBeyond(KEPT, this.#byTask) ?? '');
    if (oldest !== undefined) this.#end(oldest, (reporter) => reporter.interrupt('too_many_tasks'));
    this.#task({ ...task, taskId });
  }

  #task(params: Json): void {
    const open = this.#byTask.get(textAt(params, 'taskId') ?? '');
    if (open === undefined) return;
    const message = textAt(params, 'statusMessage');
    const patch = message === undefined ? undefined : { message };
    switch (params['status']) {
      case 'working':
        open.reporter?.resume(patch);
        return;
      case 'input_required':
        open.reporter?.block('question', patch);
        return;
      case 'completed':
        return this.#result(open, objectAt(params, 'result'));
      case 'cancelled':
        return this.#cancel(open, message);
      case 'failed':
        if (isObject(params['error'])) return this.#protocolError(open, params['error']);
        return this.#end(open, (reporter) => reporter.fail(message ?? 'The task failed.', { reason: 'tool_error' }));
      default:
        // A word of a later version says nothing this one may act on.
        if (patch !== undefined) open.reporter?.update(patch);
    }
  }

  #end(open: OpenCall, finish: (reporter: Reporter) => unknown): void {
    const { requestId, progressToken } = open.call;
    if (this.#byRequest.get(requestId) === open) this.#byRequest.delete(requestId);
    for (const [taskId, task] of this.#byTask) if (task === open) this.#byTask.delete(taskId);
    if (this.#byToken.get(progressToken) === open) {
      this.#byToken.delete(progressToken);
      this.#retired.add(progressToken);
      const oldest = oldestBeyond(KEPT, this.#retired);
      if (oldest !== undefined) this.#retired.delete(oldest);
    }
    if (open.reporter?.ended === false) finish(open.reporter);
  }

  #strayed(token: Token): void {
    const retired = this.#retired.has(token);
    this.#counts[retired ? 'retiredToken' : 'unknownToken'] += 1;
    if (retired) this.#tell('retired_token', 'Progress for a call that has ended was dropped.');
    else this.#tell('unknown_token', 'Progress for a token nobody issued was dropped.');
  }

  #isOwnProgress(message: unknown): boolean {
    if (!isNotification(message) || message.method !== 'notifications/progress') return false;
    const token = objectAt(message, 'params')['progressToken'];
    return typeof token === 'string' && token.startsWith(this.#prefix);
  }

  #invalid(message: string): void {
    this.#counts.invalid += 1;
    this.#tell('invalid', message);
  }

  #now(): number {
    return (this.#options.clock ?? systemClock).now();
  }

  #tell(code: string, message: string): void {
    tell(this.#options.onDiagnostic, { code, message });
  }

  /** The traffic comes first: whatever goes wrong in here, the message passes. */
  #guard<R>(fallback: R, observe: () => R): R {
    try {
      return observe();
    } catch {
      this.#tell('tap_failed', 'Observing a message failed; the message passed on all the same.');
      return fallback;
    }
  }
}
