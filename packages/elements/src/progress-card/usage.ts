/** What a session has used, in words; seldom told, and so apart. */
export { usageLabel } from '@sitrep/schema/select';
