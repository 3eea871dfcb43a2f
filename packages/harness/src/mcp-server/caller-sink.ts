import { isFinal } from '@sitrep/schema';
import { mcpProgressAmounts, MCP_BESIDE_KEY, MCP_EVENT_KEY } from '@sitrep/schema/dialect/mcp';
import type { McpProgressAmounts } from '@sitrep/schema/dialect/mcp';
import type { Id, OperationEvent, ProgressEvent } from '@sitrep/schema/wire';
import { isThenable } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';
import type { McpServedCall, Notify } from './served-call.ts';
import { VisibleAmounts } from './visible.ts';

/** Members of an event that tell nothing by themselves. */
const HEAD: ReadonlySet<string> = new Set(['type', 'session', 'id', 'run', 'attempt', 'seq', 'at', 'state']);
/** What the response tells as well, when the tool has left its end to it. */
const IN_RESPONSE: ReadonlySet<string> = new Set([...HEAD, 'error', 'reason']);

/**
 * Tells the caller of a tool how far it is: `notifications/progress` under the token the caller gave, with our whole event
 * beside the numbers. A tool that says nothing causes no notification, not even about its beginning or its end: what a call
 * begins with goes out with the first thing it says.
 */
export class CallerSink implements Sink {
  readonly #call: McpServedCall;
  readonly #notify: Notify;
  readonly #failed: () => void;
  readonly #visible = new VisibleAmounts();
  /** Id of the call's own operation: the first that is heard of. */
  #root: Id | undefined;
  #start: OperationEvent | undefined;
  #said = false;
  #closed = false;
  /** The newest attempt that has ended; a later one goes on. */
  #ended = 0;
  /** Set when the tool is over and has named no end: the response will. */
  leftToResponse = false;

  constructor(call: McpServedCall, notify: Notify, failed: () => void) {
    this.#call = call;
    this.#notify = notify;
    this.#failed = failed;
  }

  send(event: ProgressEvent): void {
    if (event.type !== 'operation' || this.#closed || this.#call.signal?.aborted === true) return;
    this.#root ??= event.id;
    if (event.id !== this.#root) return this.#tellInside(event);
    if (this.#start === undefined && !this.#said && event.state !== undefined && !isFinal(event.state)) {
      this.#start = event;
      return;
    }
    const { state, attempt = 1 } = event;
    if (attempt <= this.#ended) return;
    const ends = state !== undefined && isFinal(state);
    if (!ends || this.#tells(event)) this.#tell(event);
    if (ends) this.#ended = attempt;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }

  /** Whether an end says more than the response. */
  #tells(event: OperationEvent): boolean {
    const known = this.leftToResponse ? IN_RESPONSE : HEAD;
    const says = Object.entries(event).some(([key, value]) => value !== undefined && !known.has(key));
    return says || (!this.leftToResponse && event.state !== 'completed');
  }

  #tell(event: OperationEvent): void {
    const { parent: _, ...own } = this.#start === undefined ? event : { ...this.#start, ...event };
    this.#start = undefined;
    const seen = this.#visible.after(own);
    if (seen === undefined || this.#root === undefined) return;
    this.#write(own, seen, same(seen, mcpProgressAmounts(own)) ? undefined : { ...seen, of: this.#root });
  }

  /** An operation inside the call: the numbers beside it stay those of the call. */
  #tellInside(event: OperationEvent): void {
    if (this.#start !== undefined) this.#tell({ ...this.#start });
    const seen = this.#visible.again();
    if (seen !== undefined) this.#write(event, seen, { ...seen, of: this.#root });
  }

  #write(event: OperationEvent, seen: McpProgressAmounts, beside: object | undefined): void {
    this.#said = true;
    const slot = { [MCP_EVENT_KEY]: event, ...(beside === undefined ? undefined : { [MCP_BESIDE_KEY]: beside }) };
    const params = { progressToken: this.#call.progressToken, ...seen, _meta: slot };
    try {
      const sent = this.#notify({ method: 'notifications/progress', params });
      if (isThenable(sent)) void Promise.resolve(sent).then(undefined, this.#failed);
    } catch {
      this.#failed();
    }
  }
}

function same(one: McpProgressAmounts, other: McpProgressAmounts): boolean {
  return one.progress === other.progress && one.total === other.total && one.message === other.message;
}
