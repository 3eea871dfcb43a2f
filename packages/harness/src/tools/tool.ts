import type { Issue } from '@sitrep/schema/check';
import type { OpenClawPlanEvent } from '@sitrep/schema/dialect/progress-card';
import type { Id } from '@sitrep/schema/wire';
import type { CardWriter, StepCounts } from '../card/card-writer.ts';
import type { Clock } from '../clock.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { Sink } from '../sink/sink.ts';
import type { ReportSeries } from './series.ts';

/** Names of the three tools. */
export type ToolName = 'report_progress' | 'progress' | 'progress_card';

/** What the host knows of one call and the model does not say. */
export interface ToolContext {
  /** The session (chat, thread) of the call. */
  readonly session: string;
  /** The run (turn) of the call; a subagent has its own. */
  readonly run?: string | undefined;
  /** The host's id of this tool call. */
  readonly callId?: string | undefined;
  /** `report_progress` only: the operation this call reports on. Beats `series` and `callId`. */
  readonly operationId?: Id | undefined;
  /** `report_progress` only: gathers successive calls into one operation until it ends. Beats `callId`. */
  readonly series?: ReportSeries | undefined;
  /** The operation the reported work belongs under. */
  readonly parent?: Id | undefined;
  /** Where `report_progress` and `progress` send their events. */
  readonly sink?: Sink | undefined;
  /** Where `progress_card` writes. */
  readonly cards?: CardWriter | undefined;
  /**
   * Told of each card that was written, clears included, in the older form of a plan event: for hosts whose readers know
   * plans and no cards yet. The card stays what counts.
   */
  readonly onPlanEvent?: ((event: OpenClawPlanEvent) => void) | undefined;
  /** How long `progress_card` waits for the writer, milliseconds. Default: 5,000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Told of sinks and writers that failed. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** What a program reads of a refused or failed call. */
export interface ToolError {
  readonly error: {
    /** `invalid`: the input; `conflict`: somebody else wrote; `unavailable`: no answer; `not_connected`: the host gave nowhere to write. */
    readonly code: 'invalid' | 'conflict' | 'unavailable' | 'not_connected';
    readonly issues?: readonly Issue[] | undefined;
  };
}

/** Structured answer of `progress_card`. */
export interface CardAnswer {
  readonly revision: number;
  readonly steps: StepCounts | null;
}

/** Structured answer of `report_progress` and `progress`. */
export interface ReportAnswer {
  /** The operation that was reported on. */
  readonly id: Id;
  readonly state: string;
}

/** What a call answers: short text for the model, the same for programs, and whether it was refused. */
export interface ToolAnswer<T = CardAnswer | ReportAnswer> {
  readonly text: string;
  readonly structured: T | ToolError;
  readonly isError: boolean;
}

/** A tool to offer to a model. */
export interface ProgressTool<T = CardAnswer | ReportAnswer> {
  readonly name: ToolName;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  /** JSON Schema of the input, for the model and for the host's own validation. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /**
   * Handles one call. Never rejects, never asks anybody, never waits for a reader; a refusal is an answer with
   * `isError`. Nothing is written when it refuses.
   */
  handle(input: unknown, context: ToolContext): Promise<ToolAnswer<T>>;
}
