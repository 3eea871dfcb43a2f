import '@sitrep/elements/define';
import type { Operation } from '@sitrep/schema';
import { STATES } from './states.ts';

const now = Date.now();
const operation = (over: Partial<Operation>): Operation => ({
  id: 'a',
  attempt: 1,
  state: 'running',
  updatedAt: now,
  startedAt: now - 65_000,
  title: 'Build project',
  activeTitle: 'Building project',
  ...over,
});
const plan = [
  { step: 'Inspect the failing route', status: 'completed' },
  { step: 'Repair the session owner', status: 'in_progress' },
  { step: 'Run focused verification', status: 'pending' },
];

const add = (tag: string, over: object): void => document.body.append(Object.assign(document.createElement(tag), over));

Object.assign(document.body.style, { margin: '0', padding: '20px', inlineSize: '600px' });
add('tool-progress', { id: 'known', operation: operation({ fraction: 0.5, message: 'm'.repeat(300) }) });
add('tool-progress', { id: 'unknown', operation: operation({}) });
add('tool-progress', {
  id: 'failed',
  actions: 'retry',
  operation: operation({ state: 'failed', fraction: 0.5, error: { message: 'No room.' } }),
});
add('progress-card', {
  open: true,
  heading: 'Fix the login redirect',
  card: { revision: 1, updatedAt: now, card: { plan, markdown: 'See [the run](https://example.org/run).' } },
  operations: [operation({ fraction: 0.5 }), operation({ id: 'b' })],
  runs: [{ run: 'r', state: 'running', updatedAt: now, startedAt: now }],
});
for (const state of STATES) add('status-pill', { id: `pill-${state}`, compact: true, state });
