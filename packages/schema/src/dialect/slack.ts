/**
 * Slack's streamed messages, written only: the chunks of `chat.startStream`, `chat.appendStream` and `chat.stopStream`,
 * `plan_update` `{title}` and `task_update` `{id, title, status: pending | in_progress | complete | error, details?,
 * output?}`. `slackBlocks` draws the same as blocks, where a `plan` and single `task_card`s exclude each other.
 *
 * Operations and the steps of the plan are tasks; the session's title is the plan's. Details and output are sent only
 * when they changed, because a stream cannot take back what it said. Texts are shortened to 256 characters with a mark.
 *
 * Lost on the way out: waiting, blocked and paused are in_progress, cancelled, denied and interrupted are error (details
 * say which); amounts are text; parents, runs, attempts, kinds, tools, times, usage; the note of a card. A step that is
 * no longer planned stands as error, since nothing can be taken away; clears have no chunk. There is no slot for our
 * event.
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
  detect: () => false,
  decode: () => refuse('', 'unknown_type', 'cannot be read: chunks of Slack are only written.'),
  encode,
});

export { slackBlocks } from './slack/blocks.ts';
export type { SlackPlanBlock, SlackRichText, SlackTaskCardBlock } from './slack/blocks.ts';
export type { SlackChunk, SlackPlanUpdate, SlackTaskStatus, SlackTaskUpdate } from './slack/chunks.ts';
