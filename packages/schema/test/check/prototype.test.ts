import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkEvent, checkProgressCardInput, checkReportProgressInput } from '@sitrep/schema/check';

const event = { type: 'operation', session: 's', id: 'a', at: 1 };

describe('an inherited key', () => {
  it('satisfies nothing', () => {
    assert.equal(checkEvent(Object.create(event)).ok, false);
    assert.equal(checkEvent({ __proto__: event, type: 'operation' }).ok, false);
    const answer = checkReportProgressInput(Object.create({ title: 'a', current: 0, total: 1 }));
    assert.deepEqual(answer.ok ? [] : answer.issues.map(({ path, code }) => [path, code]), [
      ['/title', 'required'],
      ['/current', 'required'],
      ['/total', 'required'],
    ]);
  });

  it('offends nothing in a closed object', () => {
    assert.equal(checkProgressCardInput(Object.assign(Object.create({ other: 1 }), { markdown: 'a' })).ok, true);
  });
});

describe('a key of Object.prototype in parsed JSON', () => {
  for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    it(`${key} is unknown to a closed object and means nothing in an open one`, () => {
      const closed = checkProgressCardInput(JSON.parse(`{"${key}":{"markdown":"x"}}`));
      assert.deepEqual(closed.ok ? [] : closed.issues.map(({ path, code }) => [path, code]), [[`/${key}`, 'unknown_key']]);
      const open = JSON.parse(
        `{"${key}":{"title":"x"},"type":"operation","session":"s","id":"${key}","at":1,"title":"a\\u200b"}`,
      ) as object;
      const answer = checkEvent(open);
      assert.ok(answer.ok);
      assert.equal(Object.getPrototypeOf(answer.value), Object.prototype);
      assert.ok(Object.hasOwn(answer.value, key));
      assert.equal((answer.value as { title?: string }).title, 'a');
    });
  }

  it('does not fill in for a required one', () => {
    const answer = checkEvent(JSON.parse('{"__proto__":{"type":"operation","session":"s","id":"a","at":1}}'));
    assert.deepEqual(answer.ok ? [] : answer.issues.map(({ path, code }) => [path, code]), [['/type', 'required']]);
    assert.equal(checkEvent(JSON.parse('{"type":"operation","__proto__":{"session":"s","id":"a","at":1}}')).ok, false);
  });

  it('is carried in extension data without touching a prototype', () => {
    const answer = checkEvent({ ...event, ext: JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown> });
    assert.ok(answer.ok);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

describe('an explicit undefined', () => {
  it('reads as absent, as JSON would write it', () => {
    assert.equal(checkEvent({ ...event, title: undefined }).ok, true);
    const answer = checkEvent({ ...event, id: undefined });
    assert.deepEqual(answer.ok ? [] : answer.issues.map(({ path, code }) => [path, code]), [['/id', 'required']]);
  });
});
