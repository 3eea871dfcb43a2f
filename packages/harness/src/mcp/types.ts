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

/** Options of a tap: where events go, and optionally which reporter a call gets. Most options of a reporter may be set too. */
export interface McpTapOptions extends Omit<ReporterOptions, 'sink' | 'session' | 'id' | 'attempt' | 'state' | 'signal'> {
  /** Where events go, and the session they belong to. */
  readonly sink?: Sink | undefined;
  readonly session?: string | undefined;
  /** Name of the server for `tool.server`. Default: what the server says of itself while it connects. */
  readonly server?: string | undefined;
  /**
   * The reporter for one call, for a host that has its own id for it: `() => currentReporter()` puts the server's
   * progress on the operation that is running. Default, or when it answers undefined: a new reporter with `sink` and
   * `session`, or without those a child of the current one. With neither, the call is only counted. However the call
   * ends, the reporter ends with it, unless it has ended before.
   */
  readonly reporterFor?: ((call: McpCall) => Reporter | undefined) | undefined;
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
}

/** A call the server has not answered yet, as the observer holds it. */
export interface OpenCall {
  readonly call: McpCall;
  readonly reporter: Reporter | undefined;
  /** The highest amount so far. */
  highest: number;
}
