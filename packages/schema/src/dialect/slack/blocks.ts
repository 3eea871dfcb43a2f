import { truncate } from '../../check/text/truncate.ts';
import type { SessionView } from '../dialect.ts';
import { recordTask, SLACK_TEXT, stepTask, taskIdInSession } from './tasks.ts';
import type { SlackTask, SlackTaskStatus } from './tasks.ts';

/** Plain text in the form Slack wants for details and output. */
export interface SlackRichText {
  readonly type: 'rich_text';
  readonly elements: readonly [
    { readonly type: 'rich_text_section'; readonly elements: readonly [{ readonly type: 'text'; readonly text: string }] },
  ];
}

/** One task. */
export interface SlackTaskCardBlock {
  readonly type: 'task_card';
  readonly task_id: string;
  readonly title: string;
  readonly status: SlackTaskStatus;
  readonly details?: SlackRichText;
  readonly output?: SlackRichText;
}

/** A plan with its tasks. */
export interface SlackPlanBlock {
  readonly type: 'plan';
  readonly title: string;
  readonly tasks: readonly SlackTaskCardBlock[];
}

/** Blocks of one message. */
const MAX_BLOCKS = 50;

/**
 * A session as blocks of a message that is posted or edited whole: one `plan` with all tasks, or (`cards`) a `task_card`
 * for each, never both, because Slack refuses that. The steps of the plan come first, then the operations; of more than
 * 50 tasks the newest 50 stand. None when there is nothing to show.
 */
export function slackBlocks(
  session: SessionView,
  form: 'plan' | 'cards' = 'plan',
): readonly SlackPlanBlock[] | readonly SlackTaskCardBlock[] {
  const steps = (session.card.card?.plan ?? []).map(stepTask);
  const operations = [...session.operations.values()].map((operation) => ({
    ...recordTask('', operation),
    id: taskIdInSession(operation),
  }));
  const cards = [...steps, ...operations].slice(-MAX_BLOCKS).map(cardOf);
  if (form === 'cards' || cards.length === 0) return cards;
  return [{ type: 'plan', title: truncate(session.title || 'Plan', SLACK_TEXT), tasks: cards }];
}

function cardOf({ id, title, status, details, output }: SlackTask): SlackTaskCardBlock {
  return {
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...(details === '' ? undefined : { details: richText(details) }),
    ...(output === '' ? undefined : { output: richText(output) }),
  };
}

function richText(text: string): SlackRichText {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}
