import { isFinal } from '@sitrep/schema';
import type { OperationEvent } from '@sitrep/schema/wire';
import type { Json } from '../json.ts';
import type { Reporter } from '../reporter/types.ts';
import { applyLive } from './apply.ts';
import type { CallLimit } from './call-limit.ts';
import { InsideCall } from './inside.ts';
import { objectAt } from './messages.ts';
import type { TaskReader } from './task-reader.ts';
import type { McpCall } from './types.ts';

/** A server's question in place of a result. */
interface AskedFor {
  readonly requestState: unknown;
  readonly keys: string;
}

/** A call the server has not answered for good. */
export class OpenCall {
  /** The request under way; another one once the server has been told what it asked for. */
  call: McpCall;
  readonly reporter: Reporter | undefined;
  /** Members of `_meta` that every message of the connection carries. */
  readonly envelope: Json;
  /** The end the server's own last event named; the response has the word. */
  declared: OperationEvent | undefined;
  limit: CallLimit | undefined;
  /** Ends the stream of the request, on transports where that is how a call is cancelled. */
  abort: (() => void) | undefined;
  /** Set once the call goes on as a task. */
  task: TaskReader | undefined;
  readonly #inside: InsideCall | undefined;
  #asked: AskedFor | undefined;
  #said = '';
  #highest = Number.NEGATIVE_INFINITY;

  constructor(call: McpCall, reporter: Reporter | undefined, envelope: Json) {
    this.call = call;
    this.reporter = reporter;
    this.envelope = envelope;
    this.#inside = reporter === undefined ? undefined : new InsideCall(reporter);
  }

  /** The highest amount so far. */
  get highest(): number {
    return this.#highest;
  }

  /** Notes an amount; false when it has not risen, which the protocol asks for. */
  rises(amount: number): boolean {
    const risen = amount > this.#highest;
    if (risen) this.#highest = amount;
    return risen;
  }

  /**
   * Takes what a progress notification says of the call, or of an operation `inside` it; false when there are too many of
   * those to follow another. Whatever is heard keeps the call alive; whether it was new decides for how long.
   */
  take(event: OperationEvent, inside: boolean): boolean {
    if (this.limit !== undefined) this.#hear(event, this.limit);
    if (inside) return this.#inside?.take(event) ?? true;
    const { state, ...rest } = event;
    // Numbers alone say nothing of the state, and must not end a wait the host knows of.
    const isNumbersOnly = event.native?.protocol === 'mcp';
    if (state !== undefined && !isNumbersOnly) this.limit?.waits(state === 'blocked' || state === 'paused');
    if (state !== undefined && isFinal(state)) {
      this.declared = event;
      return true;
    }
    // A server that goes on has taken its end back: it tries once more.
    if (!isNumbersOnly) this.declared = undefined;
    if (this.reporter !== undefined) applyLive(this.reporter, isNumbersOnly ? rest : event);
    return true;
  }

  #hear(event: OperationEvent, limit: CallLimit): void {
    const { at: _, seq: __, native: ___, ...told } = event;
    const said = JSON.stringify(told);
    limit.heard(said !== this.#said);
    this.#said = said;
  }

  /** The server has asked for something in place of a result. */
  asks(result: Json, question: OperationEvent): void {
    this.#asked = { requestState: result['requestState'], keys: keysOf(result['inputRequests']) };
    this.abort = undefined;
    this.limit?.hold();
    if (this.reporter !== undefined) applyLive(this.reporter, question);
  }

  /**
   * True for a request that brings what was asked for: the same call once more, with the state the server gave and an answer
   * to each request. Nothing else on the wire ties the two together; of calls that are alike in all of this any is the right
   * one.
   */
  isAnsweredBy(params: Json): boolean {
    const { name, arguments: given } = this.call;
    return (
      this.#asked !== undefined &&
      params['name'] === name &&
      params['requestState'] === this.#asked.requestState &&
      keysOf(params['inputResponses']) === this.#asked.keys &&
      (params['arguments'] === given || JSON.stringify(params['arguments']) === JSON.stringify(given))
    );
  }

  /** The call goes on with another request. */
  goOn(call: McpCall): void {
    this.call = call;
    this.#asked = undefined;
    this.#highest = Number.NEGATIVE_INFINITY;
    this.limit?.release();
    this.reporter?.resume();
  }

  /** Ends the call, and what is open inside it. A reporter that has ended already keeps its end. */
  end(finish: (reporter: Reporter) => unknown): void {
    this.limit?.stop();
    this.#inside?.end();
    if (this.reporter?.ended === false) finish(this.reporter);
  }
}

/** The keys of a map, in an order of their own, as one text. */
function keysOf(map: unknown): string {
  return JSON.stringify(Object.keys(objectAt({ map }, 'map')).sort());
}
