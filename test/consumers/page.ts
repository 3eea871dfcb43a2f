// What a front-end author writes, compiled as in a project of their own: strict, declarations checked, no workspace flags.
import '@sitrep/elements/define';
import { ProgressCard, type ProgressRetryRequestEvent, type ToolProgress } from '@sitrep/elements';
import { createMemorySource, createStore } from '@sitrep/client';
import { percent, summary } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';

const row = document.createElement('tool-progress') satisfies ToolProgress;
const operation: Operation = { id: 7, attempt: 1, state: 'running', title: 'Build project', current: 42, total: 100, updatedAt: 0 };
row.operation = operation;
row.addEventListener('progress-retry-request', (event: ProgressRetryRequestEvent) => event.preventDefault());

const card = new ProgressCard();
card.heading = `${summary(operation)}: ${percent(operation) ?? 'no amount'}`;

const source = createMemorySource();
const store = createStore({ source, session: 'chat' });
const leave: () => void = store.subscribe((view) => {
  card.operations = view.operations;
});
leave();
