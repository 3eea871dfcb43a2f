/** Is a value what it claims to be, and what is its text worth? Nothing here loads TypeBox or throws. */
export { checkEvent } from './check-event.ts';
export { checkStreamEvent } from './check-stream-event.ts';
export { checkSnapshot } from './check-snapshot.ts';
export { checkProgressInput, checkReportProgressInput } from './check-tool-input.ts';
export { checkCardPut, checkProgressCardInput } from './check-card-input.ts';
export { cleanLine } from './text/clean-line.ts';
export { cleanNote } from './text/clean-note.ts';
export { startOf } from './text/start-of.ts';
export { cleanOpenClaw } from './text/clean-openclaw.ts';
export { truncate, truncateBytes } from './text/truncate.ts';
export { codePointLength } from './text/code-points.ts';
export { exceedsUtf8, utf8Length } from './text/utf8.ts';
export type { Checked, Issue, IssueCode } from './issue.ts';
