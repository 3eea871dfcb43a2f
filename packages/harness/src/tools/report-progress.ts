import { checkReportProgressInput } from '@sitrep/schema/check';
import { reportProgress } from '@sitrep/schema/dialect/report-progress';
import { REPORT_PROGRESS_SCHEMA } from '@sitrep/schema/tool-schemas';
import { systemClock } from '../clock.ts';
import { mintId } from '../reporter/ids.ts';
import { answered, emit, notConnected, refusal, unusable } from './answers.ts';
import { mendNumbers } from './mend-numbers.ts';
import type { ProgressTool, ReportAnswer } from './tool.ts';

const NAME = 'report_progress';

/**
 * `report_progress`: title, current, total. The input has no id, so the host says what belongs together: a call reports
 * on `operationId`, else on the operation of `series`, else on one of its own named by `callId` (or a new id). Two calls
 * with the same title and different call ids are two operations; the title never decides.
 */
export const reportProgressTool: ProgressTool<ReportAnswer> = {
  name: NAME,
  description:
    'Show the user how far a long-running operation is. Give amounts you have counted, not guesses. ' +
    'Returns at once and asks nobody; end with status "completed" or "failed".',
  inputSchema: REPORT_PROGRESS_SCHEMA,
  handle: (input, context) =>
    answered(NAME, context, async () => {
      const checked = checkReportProgressInput(mendNumbers(input, ['current', 'total']));
      if (!checked.ok) return refusal(NAME, checked.issues, input);
      if (context.sink === undefined) return notConnected(NAME);
      const { session, run, parent, series, clock = systemClock } = context;
      const id = context.operationId ?? series?.id ?? (context.callId || mintId());
      const decoded = reportProgress.decode(checked.value, { session, run, parent, id, at: clock.now() });
      if (!decoded.ok) return unusable(NAME, context, decoded.issues[0]?.message ?? '');
      emit(decoded.events, context);
      const state = checked.value.status ?? 'running';
      if (context.operationId === undefined) series?.reported(state !== 'running');
      const { current, total } = checked.value;
      return { text: `Progress reported (${current} of ${total}, ${state})`, structured: { id, state }, isError: false };
    }),
};
