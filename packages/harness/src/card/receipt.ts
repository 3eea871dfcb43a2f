import { cardReceipt as receiptOf } from '@sitrep/schema/dialect/progress-card';
import type { StepCounts } from './card-writer.ts';

/** The one-line confirmation of a card write, the same from the tool and from the gateway. */
export function cardReceipt(written: { readonly revision: number; readonly steps: StepCounts | null; readonly cleared: boolean }): string {
  const { revision, steps, cleared } = written;
  return receiptOf({ revision: cleared ? null : revision, steps });
}
