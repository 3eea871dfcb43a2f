/** One line for an operation, for the pill that says more than a word. */
export { summary } from '@sitrep/schema/select';
