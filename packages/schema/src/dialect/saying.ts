import type { OperationEvent } from '../wire/operation.ts';
import type { OperationState } from '../wire/states.ts';
import { withAmount } from './amount-text.ts';
import { detailText } from './text-out.ts';

/** What there is to say beside the title, the amount included; of what failed or was denied, why. Empty when there is nothing. */
export function sayingOf(event: OperationEvent, known: readonly OperationState[]): string {
  const { state, error } = event;
  const why = (state === 'failed' || state === 'denied') && error ? error.message : undefined;
  return withAmount(detailText(why === undefined ? event : { ...event, message: why }, known), event);
}
