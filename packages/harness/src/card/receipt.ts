import type { StepCounts } from './card-writer.ts';

/** The one-line confirmation of a card write, the same from the tool and from the gateway. */
export function cardReceipt(written: { readonly revision: number; readonly steps: StepCounts | null; readonly cleared: boolean }): string {
  if (written.cleared) return 'Progress card cleared';
  const counts = written.steps === null || written.steps.total === 0 ? '' : `, ${written.steps.completed}/${written.steps.total} done`;
  return `Progress card updated (rev ${written.revision}${counts})`;
}
