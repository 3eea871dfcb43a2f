/// <reference lib="esnext.disposable" preserve="true" />
import type { BlockedOn, Id, LiveState, OperationEvent, WaitingOn } from '@sitrep/schema/wire';
import type { Clock } from '../clock.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { Sink } from '../sink/sink.ts';

/**
 * What became of one call of a reporter:
 * - `sent`: handed to the sink (a sink that fails afterwards is a diagnostic, not another answer);
 * - `held`: within the throttle; merged with what is held already, and sent when its time comes or with the next state;
 * - `late`: the invocation has ended, or a newer attempt has begun; nothing is sent;
 * - `invalid`: a value was refused; nothing is sent, the reasons go to `onDiagnostic`.
 */
export type Answer = 'sent' | 'held' | 'late' | 'invalid';

type Field = 'title' | 'activeTitle' | 'message' | 'current' | 'total' | 'fraction' | 'unit' | 'usage' | 'native' | 'ext' | 'tool';
type Flag = 'kind' | 'ambient' | 'cancellable' | 'cancelRequested' | 'reason';

/**
 * What changes: absent or `undefined` keeps, `null` clears. Texts that are too long are shortened; amounts must be finite.
 * Objects are copied at the call, so they must be plain JSON values and may be changed afterwards.
 */
export type Patch = { readonly [K in Field | Flag]?: OperationEvent[K] | undefined };

/** A patch that may also move between the states of work that is not over. */
export type LivePatch = Patch & { readonly state?: LiveState | undefined };

/** What a reporter needs to know of the invocation it is bound to. */
export interface ReporterOptions extends Patch {
  /** Where events go. */
  readonly sink: Sink;
  /** The session (chat, thread). */
  readonly session: string;
  /** The run (turn). Default: the run of the enclosing reporter of the same session. An empty text is none. */
  readonly run?: string | undefined;
  /** Identifier of the invocation, the one the host's own lifecycle events carry. Default, and for an empty text: a new unique text. */
  readonly id?: Id | undefined;
  /** Which try of the same invocation this is, from 1. Default: 1. */
  readonly attempt?: number | undefined;
  /** The enclosing operation: its id or its reporter, `null` for none. Default: the current reporter of the same session. */
  readonly parent?: Id | Reporter | null | undefined;
  /** State of the first event. Default: `running`. */
  readonly state?: 'pending' | 'running' | undefined;
  /**
   * Aborting it ends the invocation as `cancelled` at once, whether or not the work notices. `null` for none. Default:
   * the signal of the enclosing reporter of the same session, so that stopping a turn stops what is inside it.
   */
  readonly signal?: AbortSignal | null | undefined;
  /** Least time between two updates that change no state, milliseconds; the newest is never lost. 0 sends each. Default: 100. */
  readonly throttleMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Told of refused values, late calls and failing sinks. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** The same inside another invocation, whose sink and session are taken where none is given. */
export type NestedOptions = Omit<ReporterOptions, 'sink' | 'session'> & Partial<Pick<ReporterOptions, 'sink' | 'session'>>;

/** Options of a nested invocation: what is not said is taken from the parent. */
export type ChildOptions = Omit<ReporterOptions, 'sink' | 'session' | 'parent'> & { readonly sink?: Sink | undefined };

/**
 * Reports on ONE invocation, and is disposable: `using reporter = createReporter(…)` (or `await using`, which waits for
 * nothing more) leaves no invocation open. One that is disposed of before its end was reported has ended and nobody said
 * how, so it is `interrupted` (`disposed`), never completed. No method throws, waits or alters the work; each answers what became of the call. The
 * first final state wins, every call after it is `late`. Methods may be taken off it: `const { update } = reporter`.
 */
export interface Reporter extends Disposable {
  readonly session: string;
  readonly run: string | undefined;
  readonly id: Id;
  readonly attempt: number;
  /** Aborts when the invocation is to stop, for work that can. */
  readonly signal: AbortSignal | undefined;
  /** The state last reported. */
  readonly state: NonNullable<OperationEvent['state']>;
  /** True once a final state was reported or a newer attempt began. */
  readonly ended: boolean;
  /** How many calls got which answer, the started event included. */
  readonly counts: Readonly<Record<Answer, number>>;

  /** Says how far the work is. A `pending` invocation is running from its first update on; other states stay. */
  update(patch: LivePatch): Answer;
  /** Waits on a machine: never asks for attention. `resume` or an update with a state ends the wait. */
  wait(on?: WaitingOn | string, patch?: Patch): Answer;
  /** Waits on a person: on a kind alone, or on the question, which is any other text. */
  block(on?: BlockedOn | BlockedOn['kind'] | (string & {}), patch?: Patch): Answer;
  /** Goes on after a wait, a block or a pause. */
  resume(patch?: Patch): Answer;
  /** Ended well. Amounts stay as they were reported: none is invented. */
  complete(patch?: Patch): Answer;
  /** Ended badly. `error` is anything that was thrown, or a text; its message is shown, its stack is not. */
  fail(error?: unknown, patch?: Patch): Answer;
  /** Ended because somebody said so. `reason` is a stable word. */
  cancel(reason?: string, patch?: Patch): Answer;
  /** Was not allowed to run. `reason` is a stable word. */
  deny(reason?: string, patch?: Patch): Answer;
  /** Ended, and nobody knows how. `reason` is a stable word. */
  interrupt(reason?: string, patch?: Patch): Answer;

  /** `interrupt('disposed')` unless the end was reported. What `using` calls. */
  [Symbol.dispose](): void;

  /** A reporter for an invocation inside this one. */
  child(options?: ChildOptions): Reporter;
  /**
   * Begins the next attempt of the same invocation and ends this reporter, with the final state it has or none. Track
   * the reporter it gives back: `reporter.retry().track(…)`. Every call begins another attempt.
   */
  retry(patch?: Patch): Reporter;
  /**
   * Runs `fn` with this reporter as the current one and reports how it ended: `complete`, `fail`, or `cancel` when it
   * was aborted. Gives back what `fn` gave back and throws what it threw, unchanged.
   */
  track<T>(fn: (reporter: Reporter) => T | PromiseLike<T>): Promise<T>;
}
