export type { Checked, Issue, IssueCode } from './issue.ts';
