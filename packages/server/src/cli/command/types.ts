import type { Readable } from 'node:stream';

/** A stream of the command's output to be read. */
export interface CommandOutput {
  readonly from: Readable;
  /** Ours that it still has to be passed on to. Absent: it has been shown already, this is a copy. */
  readonly to?: 1 | 2 | undefined;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly code: number }
  | { readonly signal: NodeJS.Signals }
  /** It could not be started. */
  | { readonly missing: boolean; readonly why: string };

/** A command that has been started, or could not be: `ended` says so. */
export interface RunningCommand {
  readonly outputs: readonly CommandOutput[];
  /** True when the terminal is in the hands of the command: what we say there needs its own carriage returns. */
  readonly inTerminal: boolean;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<CommandEnd>;
}
