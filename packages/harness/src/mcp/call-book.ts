import type { Json } from '../json.ts';
import type { Reporter } from '../reporter/types.ts';
import { oldestBeyond } from './oldest.ts';
import { isResponse } from './messages.ts';
import type { Token } from './messages.ts';
import type { OpenCall } from './open-call.ts';

/** How many ended tokens, open tasks, open questions and answers to be dropped are kept in mind at most. */
const KEPT = 1000;

/** Which calls are open, and by what they are found: request, token, task, question. */
export class CallBook {
  readonly #byRequest = new Map<Token, OpenCall>();
  readonly #byToken = new Map<Token, OpenCall>();
  readonly #byTask = new Map<string, OpenCall>();
  readonly #asked = new Set<OpenCall>();
  /** Requests about a task that wait for their answer, by request id. */
  readonly #aboutTask = new Map<Token, { readonly taskId: string; readonly method: string }>();
  readonly #retired = new Set<Token>();
  /** Requests that were answered here; what the server answers later is not for the client. */
  readonly #answered = new Set<Token>();

  /** True once the client has numbered a request with text. */
  #usesText = false;

  /** The client has sent a request. */
  numbered(requestId: Token): void {
    if (typeof requestId === 'string') this.#usesText = true;
  }

  /**
   * The request an answer is to. Servers write the number of a request as text, and the official clients, which never use text
   * themselves, take that for the number; beside a client that does use text it is another request.
   */
  requestOf(answered: Token): Token {
    if (typeof answered !== 'string' || this.#usesText) return answered;
    const number = Number(answered);
    return String(number) === answered ? number : answered;
  }

  get size(): number {
    return this.#byRequest.size + this.#byTask.size + this.#asked.size;
  }

  /** Every open call, each once. */
  all(): OpenCall[] {
    return [...this.#byRequest.values(), ...this.#byTask.values(), ...this.#asked];
  }

  byRequest(id: Token | undefined): OpenCall | undefined {
    return id === undefined ? undefined : this.#byRequest.get(id);
  }

  byToken(token: Token): OpenCall | undefined {
    return this.#byToken.get(token);
  }

  byTask(taskId: string | undefined): OpenCall | undefined {
    return taskId === undefined ? undefined : this.#byTask.get(taskId);
  }

  isRetired(token: Token): boolean {
    return this.#retired.has(token);
  }

  /** Opens the call's request; false when its token is in use, so that progress for it cannot be told apart. */
  open(open: OpenCall): boolean {
    const { requestId, progressToken } = open.call;
    this.#byRequest.set(requestId, open);
    this.#answered.delete(requestId);
    this.#retired.delete(progressToken);
    if (this.#byToken.has(progressToken)) return false;
    this.#byToken.set(progressToken, open);
    return true;
  }

  /** The call goes on as a task, its token included. Answers the task to be let go when there are too many. */
  becomeTask(open: OpenCall, taskId: string): OpenCall | undefined {
    this.#byRequest.delete(open.call.requestId);
    this.#byTask.set(taskId, open);
    return this.#byTask.get(oldestBeyond(KEPT, this.#byTask) ?? '');
  }

  /** The call waits for what the server asked. Answers the one to be let go when there are too many. */
  ask(open: OpenCall): OpenCall | undefined {
    this.close(open);
    this.#asked.add(open);
    return oldestBeyond(KEPT, this.#asked);
  }

  /** The call that was asked for what these parameters bring, the oldest first; it is asked no longer. */
  takeAsked(params: Json): OpenCall | undefined {
    for (const open of this.#asked) {
      if (!open.isAnsweredBy(params)) continue;
      this.#asked.delete(open);
      return open;
    }
    return undefined;
  }

  /** The call is over, and its token with it. */
  close(open: OpenCall): void {
    const { requestId, progressToken } = open.call;
    if (this.#byRequest.get(requestId) === open) this.#byRequest.delete(requestId);
    if (open.task !== undefined && this.#byTask.get(open.task.taskId) === open) this.#byTask.delete(open.task.taskId);
    this.#asked.delete(open);
    if (this.#byToken.get(progressToken) !== open) return;
    this.#byToken.delete(progressToken);
    remember(this.#retired, progressToken);
  }

  /** Ends the call as `finish` says; whatever it is, the call is found no longer. */
  end(open: OpenCall, finish: (reporter: Reporter) => unknown): void {
    this.close(open);
    open.end(finish);
  }

  askAbout(requestId: Token, taskId: string, method: string): void {
    this.#aboutTask.set(requestId, { taskId, method });
    const oldest = oldestBeyond(KEPT, this.#aboutTask);
    if (oldest !== undefined) this.#aboutTask.delete(oldest);
  }

  /** What a request was about that now has its answer. */
  takeAbout(requestId: Token): { readonly taskId: string; readonly method: string } | undefined {
    const about = this.#aboutTask.get(requestId);
    this.#aboutTask.delete(requestId);
    return about;
  }

  answerHere(requestId: Token): void {
    remember(this.#answered, requestId);
  }

  /** True, once, for the server's answer to a request that was answered here. */
  isAnswered(message: unknown): boolean {
    return isResponse(message) && this.#answered.delete(this.requestOf(message.id));
  }

  /** Forgets the requests that will have no answer. */
  forget(): void {
    this.#aboutTask.clear();
    this.#answered.clear();
  }
}

function remember(set: Set<Token>, token: Token): void {
  set.add(token);
  const oldest = oldestBeyond(KEPT, set);
  if (oldest !== undefined) set.delete(oldest);
}
