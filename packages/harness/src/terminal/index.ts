/** A session in a terminal: progress bar, program status and notices. */
export { createTerminalSink } from './sink.ts';
export type { TerminalOutput, TerminalSink, TerminalSinkOptions } from './sink.ts';
export { clearOnExit } from './clear-on-exit.ts';
export type { ExitHost } from './clear-on-exit.ts';
export { askStatus } from './ask-status.ts';
export type { AskStatusOptions, TerminalInput } from './ask-status.ts';
