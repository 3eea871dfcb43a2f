import type { Reporter, ReporterOptions } from '../reporter/types.ts';
import type { Sink } from '../sink/sink.ts';
import type { Token } from './messages.ts';

/** A `tools/call` on its way to the server. */
export interface McpCall {
  /** Name of the tool. */
  readonly name: string;
  /** The arguments, as they are sent. */
  readonly arguments: unknown;
  /** The request's id, and the token its progress carries. */
  readonly requestId: Token;
  readonly progressToken: Token;
  /** The server's own name, where the tap saw it introduce itself or was told. */
  readonly server: string | undefined;
}

/** One progress notification as the server wrote it. */
export interface McpProgress {
  readonly progress: number;
  readonly total: number | undefined;
  readonly message: string | undefined;
}

/** How long calls may take. What a server says of a call keeps it alive, under a ceiling. All in milliseconds. */
export interface McpTimeLimits {
  /**
   * A call of which nothing is heard for this long is given up. Progress begins the time anew. It stands still while the
   * server waits for an answer of this side, or has said that it waits for a person.
   */
  readonly idleMs: number;
  /** A call is given up after this long, whatever is heard of it. */
  readonly totalMs: number;
  /**
   * Progress that only repeats what was said before begins the time anew until this long after the last that said something
   * new: a server that ticks is not yet one that works. Default: five times `idleMs`.
   */
  readonly unchangedMs?: number | undefined;
}

/** Options of a tap: where events go, and optionally which reporter a call gets. Most options of a reporter may be set too. */
export interface McpTapOptions extends Omit<ReporterOptions, 'sink' | 'session' | 'id' | 'attempt' | 'state' | 'signal'> {
  /** Where events go, and the session they belong to. */
  readonly sink?: Sink | undefined;
  readonly session?: string | undefined;
  /**
   * Name of the server for `tool.server`. Default: what the server says of itself while it connects, or with its first result.
   */
  readonly server?: string | undefined;
  /**
   * The reporter for one call, for a host that has its own id for it: `() => currentReporter()` puts the server's
   * progress on the operation that is running. Default, or when it answers undefined: a new reporter with `sink` and
   * `session`, or without those a child of the current one. With neither, the call is only counted. However the call
   * ends, the reporter ends with it, unless it has ended before.
   */
  readonly reporterFor?: ((call: McpCall) => Reporter | undefined) | undefined;
  /**
   * How long calls may take. Without it the client's own timeout decides, which most clients begin anew only where the caller
   * asked for progress. A call that is given up is cancelled at the server, rejected at the caller (JSON-RPC error -32001)
   * and ends as `failed` with the reason `timeout`. Give the client's own timeout room: `callTool(…, tap.requestOptions)`. A
   * call that became a task has been answered; its time is the server's affair.
   */
  readonly limits?: McpTimeLimits | undefined;
  /** Called for every progress notification of a known call, in wire order, throttle or not. */
  readonly onProgress?: ((call: McpCall, progress: McpProgress) => void) | undefined;
}

/** What passed so far. */
export interface McpTapCounts {
  /** Calls of tools, and those among them that have not ended. */
  readonly calls: number;
  readonly open: number;
  /** Progress notifications taken over. */
  readonly progress: number;
  /** Dropped: for a token nobody issued. */
  readonly unknownToken: number;
  /** Dropped: for a call that has ended. */
  readonly retiredToken: number;
  /** Dropped: not readable as progress. */
  readonly invalid: number;
  /** Taken over although the amount did not rise, which the protocol asks for. */
  readonly nonRising: number;
  /** Calls given up at one of the limits. */
  readonly timedOut: number;
}
