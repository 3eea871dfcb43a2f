import { isFinal } from '@sitrep/schema';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import { isObject } from '../json.ts';
import type { Json } from '../json.ts';
import { mintId } from '../reporter/ids.ts';
import type { Reporter } from '../reporter/types.ts';
import { applyEnd, applyLive } from './apply.ts';
import { CallBook } from './call-book.ts';
import { CallLimit, checkLimits } from './call-limit.ts';
import type { Reached } from './call-limit.ts';
import { givenUp, noAnswer } from './give-up.ts';
import {
  asToken,
  envelopeOf,
  isFailure,
  isNotification,
  isRequest,
  isResponse,
  isUnknownResult,
  objectAt,
  serverOf,
  textAt,
} from './messages.ts';
import type { Token } from './messages.ts';
import { OpenCall } from './open-call.ts';
import { endByError, endByResult } from './outcome.ts';
import { OurAnswers } from './our-answers.ts';
import { ProgressReader } from './progress-reader.ts';
import { reporterFor } from './reporter-for.ts';
import { questionOf } from './question.ts';
import { taskReader } from './task-reader.ts';
import type { McpCall, McpTapCounts, McpTapOptions } from './types.ts';

/** What the observer does with the connection itself. */
export interface Line {
  /** Sends a message to the server, past the observer. */
  send(message: Json): void;
  /** Hands a message to the client as if the server had sent it. */
  deliver(message: Json): void;
}

/** Reads the messages of one client connection and moves the reporters of its tool calls. Nothing in it throws. */
export class CallObserver {
  readonly #options: McpTapOptions;
  readonly #line: Line;
  readonly #clock: Clock;
  /** Begins every token this observer issues. */
  readonly #prefix = `sitrep-${mintId()}-`;
  readonly #book = new CallBook();
  readonly #ours = new OurAnswers();
  readonly #progress: ProgressReader;
  readonly #counts = { calls: 0, timedOut: 0 };
  #server: string | undefined;
  #initialize: Token | undefined;
  #minted = 0;
  #attached = true;

  constructor(options: McpTapOptions, line: Line) {
    checkLimits(options.limits);
    this.#options = options;
    this.#line = line;
    this.#clock = options.clock ?? systemClock;
    this.#server = options.server;
    this.#progress = new ProgressReader(this.#book, this.#prefix, options);
  }

  get counts(): McpTapCounts {
    return { ...this.#counts, ...this.#progress.counts, open: this.#book.size };
  }

  /** Reads what the client sends; answers what is to be sent, which differs only by an added token. */
  outgoing(message: unknown): unknown {
    if (!this.#attached) return message;
    return this.#guard(message, () =>
      Array.isArray(message) ? message.map((part: unknown) => this.#outgoing(part)) : this.#outgoing(message),
    );
  }

  /**
   * The stream of a request ends with `signal`, which is how a client of 2026-07-28 cancels over HTTP; `abort` ends it from
   * this side.
   */
  onStream(message: unknown, signal: AbortSignal, abort: () => void): void {
    this.#guard(undefined, () => {
      const open = isRequest(message) ? this.#book.byRequest(message.id) : undefined;
      if (open === undefined) return;
      const { call } = open;
      open.abort = abort;
      const aborted = (): void => {
        if (open.call === call && this.#book.byRequest(call.requestId) === open) this.#cancel(open, undefined);
      };
      if (signal.aborted) aborted();
      else signal.addEventListener('abort', () => this.#guard(undefined, aborted), { once: true });
    });
  }

  /** Reads what the server sends; false when it answers what the client knows nothing of and must be kept from it. */
  incoming(message: unknown): boolean {
    const passes = !this.#progress.isOwn(message) && !this.#book.isAnswered(message);
    if (!this.#attached) return passes;
    this.#guard(undefined, () => {
      for (const part of Array.isArray(message) ? (message as unknown[]) : [message]) this.#incoming(part);
    });
    return passes;
  }

  /** The transport did not take a message: a call in it will have no answer. */
  sendFailed(message: unknown, error: unknown): void {
    this.#guard(undefined, () => {
      for (const part of Array.isArray(message) ? (message as unknown[]) : [message]) {
        const open = isRequest(part) ? this.#book.byRequest(part.id) : undefined;
        if (open !== undefined) this.#end(open, (reporter) => reporter.fail(error, { reason: 'send_failed' }));
      }
    });
  }

  /** The stream of a request has ended. If it brought no answer none will come, and a caller whose time we keep need not wait. */
  streamEnded(message: unknown): void {
    this.#guard(undefined, () => {
      const open = isRequest(message) ? this.#book.byRequest(message.id) : undefined;
      if (open === undefined) return;
      this.#end(open, (reporter) => reporter.interrupt('stream_ended'));
      if (this.#attached && this.#options.limits !== undefined) this.#line.deliver(noAnswer(open));
    });
  }

  /** Nothing more will come: what is open ends without an outcome. */
  closed(reason: string): void {
    this.#guard(undefined, () => {
      for (const open of this.#book.all()) this.#end(open, (reporter) => reporter.interrupt(reason));
      this.#book.forget();
      this.#ours.forget();
    });
  }

  detach(): void {
    this.closed('detached');
    this.#attached = false;
  }

  #outgoing(message: unknown): unknown {
    if (isRequest(message)) {
      const { id, method } = message;
      if (method === 'tools/call') return this.#begin(message, id);
      if (method === 'initialize') this.#initialize = id;
      else if (method.startsWith('tasks/')) this.#aboutTask(id, method, textAt(message['params'], 'taskId'));
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const params = objectAt(message, 'params');
      const open = this.#book.byRequest(asToken(params['requestId']));
      if (open !== undefined) this.#cancel(open, textAt(params, 'reason'));
    } else if (isResponse(message)) {
      this.#ours.given(message.id, this.#book.all());
    }
    return message;
  }

  #aboutTask(id: Token, method: string, taskId: string | undefined): void {
    if (method === 'tasks/list') return this.#book.askAbout(id, '', method);
    const open = this.#book.byTask(taskId);
    if (open === undefined || taskId === undefined) return;
    if (method === 'tasks/cancel') open.reporter?.update({ cancelRequested: true });
    this.#book.askAbout(id, taskId, method);
  }

  #incoming(message: unknown): void {
    if (isResponse(message)) return this.#response(message, message.id);
    if (isRequest(message)) return this.#ours.owed(message.id, this.#book.all());
    if (!isNotification(message)) return;
    const params = objectAt(message, 'params');
    switch (message.method) {
      case 'notifications/progress':
        return this.#progress.take(message, params);
      case 'notifications/tasks/status':
      case 'notifications/tasks':
        return this.#task(this.#book.byTask(textAt(params, 'taskId')), params);
      case 'notifications/cancelled':
        return this.#ours.given(params['requestId'], this.#book.all());
      default:
    }
  }

  #begin(request: Json, requestId: Token): unknown {
    const params = objectAt(request, 'params');
    const name = textAt(params, 'name');
    if (name === undefined) return request;
    const before = this.#book.byRequest(requestId);
    if (before !== undefined) this.#end(before, (reporter) => reporter.interrupt('request_id_reused'));

    const meta = objectAt(params, '_meta');
    const given = asToken(meta['progressToken']);
    const progressToken = given ?? `${this.#prefix}${(this.#minted += 1)}`;
    const call: McpCall = { name, arguments: params['arguments'], requestId, progressToken, server: this.#server };
    const asked = this.#book.takeAsked(params);
    asked?.goOn(call);
    if (!this.#book.open(asked ?? this.#start(call, envelopeOf(meta)))) {
      this.#tell(
        'token_in_use',
        `Two calls are open with one progress token; progress of the second (${name}) cannot be told apart and is not shown.`,
      );
    }
    return given === undefined ? { ...request, params: { ...params, _meta: { ...meta, progressToken } } } : request;
  }

  #start(call: McpCall, envelope: Json): OpenCall {
    this.#counts.calls += 1;
    const own = this.#guard(undefined, () => this.#options.reporterFor?.(call));
    const open = new OpenCall(call, own ?? this.#guard(undefined, () => reporterFor(call, this.#options)), envelope);
    const { limits } = this.#options;
    if (limits !== undefined) {
      open.limit = new CallLimit(this.#clock, limits, (reached) => this.#guard(undefined, () => this.#giveUp(open, reached)));
      this.#ours.begin(open);
    }
    return open;
  }

  #response(message: Json, id: Token): void {
    const open = this.#book.byRequest(id);
    const about = this.#book.takeAbout(id);
    const result = objectAt(message, 'result');
    this.#meetServer(id, result);
    if (open !== undefined) return isFailure(message) ? this.#failure(open, message) : this.#answer(open, result);
    if (about === undefined) return;
    if (about.method === 'tasks/list') return this.#list(result['tasks']);
    const pending = this.#book.byTask(about.taskId);
    if (about.method !== 'tasks/result') this.#task(pending, result);
    else if (pending === undefined) return;
    else if (isFailure(message)) this.#failure(pending, message);
    else this.#result(pending, result);
  }

  #meetServer(id: Token, result: Json): void {
    const isInitialize = id === this.#initialize;
    if (isInitialize) this.#initialize = undefined;
    this.#server ??= textAt(isInitialize ? objectAt(result, 'serverInfo') : serverOf(result), 'name');
  }

  /** A list of tasks says of each how it stands. */
  #list(tasks: unknown): void {
    for (const task of Array.isArray(tasks) ? (tasks as unknown[]) : []) {
      if (isObject(task)) this.#task(this.#book.byTask(textAt(task, 'taskId')), task);
    }
  }

  /** An answer is the result, a task to follow, or a question. */
  #answer(open: OpenCall, result: Json): void {
    open.task = taskReader(result);
    if (open.task !== undefined) {
      open.limit?.stop();
      open.limit = undefined;
      const oldest = this.#book.becomeTask(open, open.task.taskId);
      if (oldest !== undefined) this.#end(oldest, (reporter) => reporter.interrupt('too_many_tasks'));
      return this.#task(open, result);
    }
    const question = questionOf(result, this.#clock.now());
    if (question === undefined) {
      if (!isUnknownResult(result)) return this.#result(open, result);
      return this.#end(open, (reporter) => reporter.interrupt('unknown_result_type'));
    }
    const oldest = this.#book.ask(open);
    if (oldest !== undefined) this.#end(oldest, (reporter) => reporter.interrupt('too_many_questions'));
    open.asks(result, question);
  }

  #result(open: OpenCall, result: Json): void {
    this.#end(open, (reporter) => endByResult(reporter, result, open.call.name, open.declared));
  }

  #failure(open: OpenCall, message: Json): void {
    this.#end(open, (reporter) => endByError(reporter, objectAt(message, 'error'), open.declared));
  }

  #cancel(open: OpenCall, message: string | undefined): void {
    this.#end(open, (reporter) => reporter.cancel('cancelled_by_client', message === undefined ? undefined : { message }));
  }

  #task(open: OpenCall | undefined, params: Json): void {
    const event = open?.task?.read(params, this.#clock.now());
    if (open === undefined || event === undefined) return;
    if (event.state !== undefined && isFinal(event.state)) this.#end(open, (reporter) => applyEnd(reporter, event));
    else if (open.reporter !== undefined) applyLive(open.reporter, event);
  }

  /** A limit was reached: the server hears that it may stop, the caller that it need not wait. */
  #giveUp(open: OpenCall, reached: Reached): void {
    const { limits } = this.#options;
    if (limits === undefined) return;
    const { message, requestId, cancelled, answer } = givenUp(open, reached, limits);
    // While the server's question is open no request is under way: there is nothing to cancel and nobody to answer.
    const isWaiting = this.#book.byRequest(requestId) === open;
    this.#counts.timedOut += 1;
    this.#end(open, (reporter) => reporter.fail({ message, code: reached }, { reason: 'timeout' }));
    if (!isWaiting) return;
    if (open.abort === undefined) this.#line.send(cancelled);
    else open.abort();
    this.#line.deliver(answer);
    this.#book.answerHere(requestId);
  }

  #end(open: OpenCall, finish: (reporter: Reporter) => unknown): void {
    this.#book.close(open);
    open.end(finish);
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
