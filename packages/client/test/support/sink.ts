import type { Diagnostic, SourceSink } from '@sitrep/client';

export interface Recorder extends SourceSink {
  readonly frames: unknown[];
  readonly cursors: (string | undefined)[];
  readonly states: string[];
  readonly diagnostics: Diagnostic[];
  readonly codes: string[];
  /** Resolves as soon as the condition holds; it is looked at after every callback. */
  until(condition: () => boolean): Promise<void>;
  /** What `cursor()` answers. Default: the newest cursor that came. */
  resume: (() => string | undefined) | undefined;
}

/** A sink that keeps what it is told. */
export function recorder(): Recorder {
  const waiting = new Set<() => void>();
  const look = () => waiting.forEach((check) => check());
  const sink: Recorder = {
    frames: [],
    cursors: [],
    states: [],
    diagnostics: [],
    codes: [],
    resume: undefined,
    frame(value, cursor) {
      sink.frames.push(value);
      sink.cursors.push(cursor);
      look();
    },
    connection(state) {
      sink.states.push(state);
      look();
    },
    diagnostic(diagnostic) {
      sink.diagnostics.push(diagnostic);
      sink.codes.push(diagnostic.code);
      look();
    },
    cursor: () => (sink.resume ? sink.resume() : sink.cursors.findLast((cursor) => cursor !== undefined)),
    until: (condition) =>
      new Promise((resolve) => {
        const check = () => {
          if (!condition()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  return sink;
}
