import { attempt } from './sink/hand-over.ts';

/** A fault that was survived, as data. Reporting progress never throws into the work it reports on; this is where faults go instead. */
export interface Diagnostic {
  /** Stable word: `invalid`, `late`, `sink_failed`, `http_status`, `network`, `dropped`, `unknown_token`, … */
  readonly code: string;
  /** One sentence: what was wrong, where, what happens next. */
  readonly message: string;
  /** JSON Pointer into the value at fault, where there was one. */
  readonly path?: string | undefined;
  /** HTTP status, where there was one. */
  readonly status?: number | undefined;
}

/** Receives faults. May throw: whoever calls it survives that too. */
export type OnDiagnostic = (diagnostic: Diagnostic) => void;

/** Tells `listener`, if there is one, and swallows whatever it throws or rejects with: a broken log must not break the work. */
export function tell(listener: OnDiagnostic | undefined, diagnostic: Diagnostic): void {
  if (listener === undefined) return;
  attempt(
    () => listener(diagnostic),
    () => {
      // Nobody is left to tell.
    },
  );
}
