/**
 * Our own checks, in two depths: the generated test of the shape alone, which is what the validators of others do, and
 * the whole of `checkEvent`, which also finds the type by itself, bounds bytes, cleans text, and answers with issues.
 */
import { checkEvent } from '@sitrep/schema/check';
// Not part of the public names: the test of a shape is reached only through the checks. Measured here on its own.
import { isCardEvent } from '../packages/schema/dist/generated/card.js';
import { isOperationEvent } from '../packages/schema/dist/generated/operation.js';
import type { Validator } from './peers/validators.ts';

export const OURS_SHAPE = 'ours: shape';
export const OURS_FULL = 'ours: checkEvent';

const full = (value: unknown) => checkEvent(value).ok;

export const ours: readonly Validator[] = [
  { name: OURS_SHAPE, make: () => ({ operation: isOperationEvent, card: isCardEvent }) },
  { name: OURS_FULL, make: () => ({ operation: full, card: full }) },
];
