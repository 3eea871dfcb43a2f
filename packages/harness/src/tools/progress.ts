import { checkProgressInput } from '@sitrep/schema/check';
import { progress } from '@sitrep/schema/dialect/progress';
import { PROGRESS_SCHEMA } from '@sitrep/schema/tool-schemas';
import { systemClock } from '../clock.ts';
import { answered, emit, notConnected, refusal, unusable } from './answers.ts';
import { mendNumbers } from './mend-numbers.ts';
import type { ProgressTool, ReportAnswer } from './tool.ts';

const NAME = 'progress';

/**
 * `progress`: id, status, and what is known. The model's id names the operation within the session and the run, so two
 * subagents that both say "compile" do not meet. After `done` or `error` the id is used up for that run.
 */
export const progressTool: ProgressTool<ReportAnswer> = {
  name: NAME,
  description:
    'Say that long-running work goes on, waits on a machine, is done or failed, instead of staying silent or asking a ' +
    'question. The same id updates in place. Returns at once and needs no reply.',
  inputSchema: PROGRESS_SCHEMA,
  handle: (input, context) =>
    answered(NAME, context, async () => {
      const checked = checkProgressInput(mendNumbers(input, ['progress']));
      if (!checked.ok) return refusal(NAME, checked.issues, input);
      if (context.sink === undefined) return notConnected(NAME);
      const { session, run, parent, clock = systemClock } = context;
      const decoded = progress.decode(checked.value, { session, run, parent, at: clock.now() });
      if (!decoded.ok) return unusable(NAME, context, decoded.issues[0]?.message ?? '');
      emit(decoded.events, context);
      const { id, status } = checked.value;
      return { text: `Progress noted (${status})`, structured: { id, state: status }, isError: false };
    }),
};
