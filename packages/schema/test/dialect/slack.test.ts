import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { slackBlocks } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';

function session(): SessionIndex {
  const index = new SessionIndex('chat-1');
  index.apply({ type: 'session', session: 'chat-1', title: 'Fix the build', at: 1 });
  index.apply({ type: 'card', session: 'chat-1', revision: 1, at: 1, card: { plan: [{ step: 'Read', status: 'completed' }] } });
  index.apply({
    type: 'operation',
    session: 'chat-1',
    id: 'a',
    at: 1,
    state: 'running',
    title: 'Build',
    current: 1,
    total: 2,
    unit: 'files',
  });
  index.apply({ type: 'operation', session: 'chat-1', id: 'b', at: 1, state: 'denied', title: 'Deploy' });
  return index;
}

const rich = (text: string) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});
const cards = [
  { type: 'task_card', task_id: 'plan/1', title: 'Read', status: 'complete' },
  { type: 'task_card', task_id: 'a', title: 'Build', status: 'in_progress', details: rich('1/2 files') },
  { type: 'task_card', task_id: 'b', title: 'Deploy', status: 'error', output: rich('denied') },
];

describe('a session as blocks of Slack', () => {
  it('is one plan with all its tasks', () => {
    assert.deepEqual(slackBlocks(session()), [{ type: 'plan', title: 'Fix the build', tasks: cards }]);
  });
  it('is a card for each task, and then no plan', () => {
    assert.deepEqual(slackBlocks(session(), 'cards'), cards);
  });
  it('is nothing when there is nothing to show', () => {
    assert.deepEqual(slackBlocks(new SessionIndex('chat-1')), []);
  });
  it('has an id of its own for each of two runs that use the same', () => {
    const index = session();
    for (const run of ['r1', 'r2']) index.apply({ type: 'operation', session: 'chat-1', run, id: 'a', at: 1, title: 'Build' });
    const ids = slackBlocks(index, 'cards').map((card) => 'task_id' in card && card.task_id);
    assert.equal(new Set(ids).size, 5);
  });
  it('keeps how far it was of what failed', () => {
    const index = session();
    index.apply({ type: 'operation', session: 'chat-1', id: 'a', at: 2, state: 'failed', error: { message: 'exit 2' } });
    assert.deepEqual(slackBlocks(index, 'cards')[1], { ...cards[1], status: 'error', output: rich('exit 2') });
  });
  it('has at most 50 tasks, the newest', () => {
    const index = session();
    for (let id = 0; id < 80; id++) index.apply({ type: 'operation', session: 'chat-1', id, at: 1, title: `T${id}` });
    const shown = slackBlocks(index, 'cards');
    assert.equal(shown.length, 50);
    assert.equal(shown.at(-1)?.title, 'T79');
  });
});
