import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';
import { withAmount } from './amount-text.ts';
import { detailText } from './text-out.ts';

/** What there is to say beside the title, the amount included. Empty when there is nothing. */
export function sayingOf(event: OperationEvent, known: readonly OperationState[]): string {
  return withAmount(detailText(event, known), event);
}
