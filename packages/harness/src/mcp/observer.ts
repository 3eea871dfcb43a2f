import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { Json } from '../json.ts';
import { mintId } from '../reporter/ids.ts';
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
import { TaskFollower } from './task-follower.ts';
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
  readonly #tasks: TaskFollower;
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
    this.#tasks = new TaskFollower(this.#book, this.#clock);
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

  /**
   * Reads what the server sends; answers what is for the client. Kept from it is what answers something it knows nothing of:
   * all of the message then (undefined), or parts of a batch.
   */
  incoming(message: unknown): unknown {
    const parts = Array.isArray(message) ? (message as unknown[]) : [message];
    const passing = parts.filter((part) => !this.#progress.isOwn(part) && !this.#book.isAnswered(part));
    if (this.#attached) {
      for (const part of parts) this.#guard(undefined, () => this.#incoming(part));
    }
    if (passing.length === parts.length) return message;
    return passing.length === 0 ? undefined : passing;
  }

  /** The transport did not take a message: a call in it will have no answer. */
  sendFailed(message: unknown, error: unknown): void {
    this.#guard(undefined, () => {
      for (const part of Array.isArray(message) ? (message as unknown[]) : [message]) {
        const open = isRequest(part) ? this.#book.byRequest(part.id) : undefined;
        if (open !== undefined) this.#book.end(open, (reporter) => reporter.fail(error, { reason: 'send_failed' }));
      }
    });
  }

  /** The stream of a request has ended. If it brought no answer none will come, and a caller whose time we keep need not wait. */
  streamEnded(message: unknown): void {
    this.#guard(undefined, () => {
      const open = isRequest(message) ? this.#book.byRequest(message.id) : undefined;
      if (open === undefined) return;
      this.#book.end(open, (reporter) => reporter.interrupt('stream_ended'));
      if (this.#attached && this.#options.limits !== undefined) this.#line.deliver(noAnswer(open));
    });
  }

  /** Nothing more will come: what is open ends without an outcome. */
  closed(reason: string): void {
    this.#guard(undefined, () => {
      for (const open of this.#book.all()) this.#book.end(open, (reporter) => reporter.interrupt(reason));
      this.#book.forget();
      this.#ours.forget();
      this.#tasks.forget();
    });
  }

  detach(): void {
    this.closed('detached');
    this.#attached = false;
  }

  #outgoing(message: unknown): unknown {
    if (isRequest(message)) {
      const { id, method } = message;
      this.#book.numbered(id);
      if (method === 'tools/call') return this.#begin(message, id);
      if (method === 'initialize') this.#initialize = id;
      else if (method.startsWith('tasks/')) this.#tasks.asked(id, method, textAt(message['params'], 'taskId'));
    } else if (isNotification(message) && message.method === 'notifications/cancelled') {
      const params = objectAt(message, 'params');
      const open = this.#book.byRequest(asToken(params['requestId']));
      if (open !== undefined) this.#cancel(open, textAt(params, 'reason'));
    } else if (isResponse(message)) {
      this.#ours.given(message.id, this.#book.all());
    }
    return message;
  }

  #incoming(message: unknown): void {
    if (isResponse(message)) return this.#response(message, this.#book.requestOf(message.id));
    if (isRequest(message)) return this.#ours.owed(message.id, this.#book.all());
    if (!isNotification(message)) return;
    const params = objectAt(message, 'params');
    switch (message.method) {
      case 'notifications/progress':
        return this.#progress.take(message, params);
      case 'notifications/tasks/status':
      case 'notifications/tasks':
        return this.#tasks.notice(message.method, params);
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
    if (before !== undefined) this.#book.end(before, (reporter) => reporter.interrupt('request_id_reused'));

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
    const result = objectAt(message, 'result');
    this.#meetServer(id, result);
    if (open === undefined) this.#tasks.answer(id, message);
    else if (isFailure(message)) this.#book.end(open, (reporter) => endByError(reporter, objectAt(message, 'error'), open.declared));
    else this.#answer(open, result);
  }

  #meetServer(id: Token, result: Json): void {
    const isInitialize = id === this.#initialize;
    if (isInitialize) this.#initialize = undefined;
    this.#server ??= textAt(isInitialize ? objectAt(result, 'serverInfo') : serverOf(result), 'name');
  }

  /** An answer is the result, a task to follow, or a question. */
  #answer(open: OpenCall, result: Json): void {
    const task = taskReader(result);
    if (task !== undefined) return this.#tasks.begin(open, task, result);
    const question = questionOf(result, this.#clock.now());
    if (question === undefined) {
      return this.#book.end(open, (reporter) => {
        if (isUnknownResult(result)) reporter.interrupt('unknown_result_type');
        else endByResult(reporter, result, open.call.name, open.declared);
      });
    }
    const oldest = this.#book.ask(open);
    if (oldest !== undefined) this.#book.end(oldest, (reporter) => reporter.interrupt('too_many_questions'));
    open.asks(result, question);
  }

  #cancel(open: OpenCall, message: string | undefined): void {
    this.#book.end(open, (reporter) => reporter.cancel('cancelled_by_client', message === undefined ? undefined : { message }));
  }

  /** A limit was reached: the server hears that it may stop, the caller that it need not wait. */
  #giveUp(open: OpenCall, reached: Reached): void {
    const { limits } = this.#options;
    if (limits === undefined) return;
    const { message, requestId, cancelled, answer } = givenUp(open, reached, limits);
    // While the server's question is open no request is under way: there is nothing to cancel and nobody to answer.
    const isWaiting = this.#book.byRequest(requestId) === open;
    this.#counts.timedOut += 1;
    this.#book.end(open, (reporter) => reporter.fail({ message, code: reached }, { reason: 'timeout' }));
    if (!isWaiting) return;
    if (open.abort === undefined) this.#line.send(cancelled);
    else open.abort();
    this.#line.deliver(answer);
    this.#book.answerHere(requestId);
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
