/**
 * Slack's streamed messages, written only: the chunks of `chat.startStream`, `chat.appendStream` and `chat.stopStream`,
 * `plan_update` `{title}` and `task_update` `{id, title, status: pending | in_progress | complete | error, output?}`.
 * `slackBlocks` draws the same as blocks, where a `plan` and single `task_card`s exclude each other.
 *
 * Operations and the steps of the plan are tasks; the session's title is the plan's. Of a task Slack replaces the title
 * and the status, but appends details and output to those it was told before. So what changes while work goes on (message,
 * amount, what is waited for) stands behind the title, how it ended in the output, and details are never sent. Texts are
 * shortened to 256 characters with a mark.
 *
 * Lost on the way out: waiting, blocked and paused are in_progress, cancelled, denied and interrupted are error (the text
 * says which); amounts are text; parents, runs, attempts, kinds, tools, times, usage; the note of a card. A step that is
 * no longer planned and an operation that is cleared while it goes on stand as error, since nothing can be taken away;
 * what has ended stays. There is no slot for our event.
 */
import type { Dialect } from './dialect.ts';
import { refuse } from './finish.ts';
import { guarded } from './guarded.ts';
import { encode } from './slack/chunks.ts';
import type { SlackChunk } from './slack/chunks.ts';

/** The dialect of Slack's plan and task updates. */
export const slack: Dialect<SlackChunk> = guarded({
  name: 'slack',
  whole: [],
  only: 'out',
  detect: () => false,
  decode: () => refuse('', 'unknown_type', 'cannot be read: chunks of Slack are only written.'),
  encode,
});

export { slackBlocks } from './slack/blocks.ts';
export type { SlackPlanBlock, SlackRichText, SlackTaskCardBlock } from './slack/blocks.ts';
export type { SlackChunk, SlackPlanUpdate, SlackTaskStatus, SlackTaskUpdate } from './slack/chunks.ts';
