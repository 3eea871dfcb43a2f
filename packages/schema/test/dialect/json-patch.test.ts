import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agUi } from '@sitrep/schema/dialect/ag-ui';
import { createDecoder } from '@sitrep/schema/translate';

/** What a patch makes of an activity's content, seen from outside: the content is read as an operation. */
function patched(content: Record<string, unknown>, patch: unknown): unknown {
  const decoder = createDecoder(agUi, { session: 'chat-1' });
  const head = { messageId: 'a', activityType: 'WORK' };
  decoder.decode({ type: 'ACTIVITY_SNAPSHOT', ...head, content: { status: 'running', title: 'T', ...content } }, 1);
  const decoded = decoder.decode({ type: 'ACTIVITY_DELTA', ...head, patch }, 2);
  return decoded.ok ? decoded.events[0] : decoded.issues[0];
}

function field(content: Record<string, unknown>, patch: unknown, name: string): unknown {
  return (patched(content, patch) as Record<string, unknown>)[name];
}

describe('a patch of an activity', () => {
  it('adds, replaces, removes, moves, copies and tests', () => {
    assert.equal(field({}, [{ op: 'add', path: '/message', value: 'a' }], 'message'), 'a');
    assert.equal(field({ message: 'a' }, [{ op: 'replace', path: '/message', value: 'b' }], 'message'), 'b');
    assert.equal(field({ message: 'a' }, [{ op: 'remove', path: '/message' }], 'message'), undefined);
    assert.equal(field({ x: 'a' }, [{ op: 'move', from: '/x', path: '/message' }], 'message'), 'a');
    assert.equal(field({ x: { y: ['a', 'b'] } }, [{ op: 'copy', from: '/x/y/1', path: '/message' }], 'message'), 'b');
    const test = { op: 'test', path: '/x', value: { b: [1], a: null } };
    assert.equal(field({ x: { a: null, b: [1] } }, [test, { op: 'add', path: '/message', value: 'ok' }], 'message'), 'ok');
  });
  it('reads escaped names and the end of a list', () => {
    assert.equal(field({ 'a/b~c': 'v' }, [{ op: 'move', from: '/a~1b~0c', path: '/message' }], 'message'), 'v');
    assert.equal(
      field(
        { l: ['a'] },
        [
          { op: 'add', path: '/l/-', value: 'b' },
          { op: 'copy', from: '/l/1', path: '/message' },
        ],
        'message',
      ),
      'b',
    );
    assert.equal(
      field(
        { l: ['a'] },
        [
          { op: 'add', path: '/l/0', value: 'z' },
          { op: 'copy', from: '/l/1', path: '/message' },
        ],
        'message',
      ),
      'a',
    );
  });
  it('is refused whole where one operation does not apply, and says which', () => {
    const ok = { op: 'add', path: '/message', value: 'a' };
    for (const bad of [
      { op: 'remove', path: '/nothing' },
      { op: 'replace', path: '/nothing', value: 1 },
      { op: 'add', path: '/no/thing', value: 1 },
      { op: 'add', path: 'message', value: 1 },
      { op: 'add', path: '/a~2', value: 1 },
      { op: 'add', path: '/message' },
      { op: 'add', path: '/l/01', value: 1 },
      { op: 'add', path: '/l/9', value: 1 },
      { op: 'replace', path: '/l/-', value: 1 },
      { op: 'test', path: '/title', value: 't' },
      { op: 'test', path: '/l', value: { 0: 'a' } },
      { op: 'move', from: '/l', path: '/l/0' },
      { op: 'copy', from: '/constructor', path: '/x' },
      { op: 'spread', path: '/message' },
      { op: 'remove', path: '' },
      { op: 'add', path: '/__proto__/polluted', value: 1 },
      { op: 'add', path: `/${Array.from({ length: 80 }, () => 'a').join('/')}`, value: 1 },
      null,
    ]) {
      const issue = patched({ l: ['a'] }, [ok, bad]) as { path: string; code: string };
      assert.deepEqual([issue.path, issue.code], ['/patch/1', 'conflict'], JSON.stringify(bad));
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });
  it('stays within bounds: in operations, and in what copies of copies would grow to', () => {
    const many = Array.from({ length: 501 }, () => ({ op: 'add', path: '/x', value: 1 }));
    assert.equal((patched({}, many) as { path: string }).path, '/patch');
    const doubling = Array.from({ length: 60 }, (_, index) => ({ op: 'copy', from: '/l', path: `/l/k${index}` }));
    assert.match((patched({ l: { a: 'aaaaaaaaaaaaaaaa' } }, doubling) as { message: string }).message, /at most 65536 characters/);
  });
});
