import type { OperationState } from '../wire/states.ts';
import { WORDS } from './words.ts';

/** The state in a word or two for a person: "running", "needs you". */
export function stateWord(state: OperationState): string {
  return WORDS.states[state];
}
