import { operation, run } from './support.ts';

export const operationRecord = operation();
export const runRecord = run();
export const card = { plan: [{ step: 'One', status: 'in_progress' as const }] };
