import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as check from '@sitrep/schema/check';
import { readStreamEvent } from '@sitrep/schema/check/read';
import type { JsonSchema } from '../../scripts/json-schema.ts';
import streamEvent from '../../json/stream-event.json' with { type: 'json' };
import { fromSchema, mutated } from './from-schema.ts';

const CHECKS = [
  check.checkEvent,
  check.checkStreamEvent,
  readStreamEvent,
  check.checkSnapshot,
  check.checkReportProgressInput,
  check.checkProgressInput,
  check.checkProgressCardInput,
  check.checkCardPut,
] as const;
const members = Object.values(streamEvent.$defs) as JsonSchema[];
const valid = fc.oneof(...members.map(fromSchema));

/** Any answer is well formed: a value, or one to sixteen issues that name a place and repeat nothing. */
function wellFormed(answer: check.Checked<unknown>): void {
  if (answer.ok) return;
  assert.ok(answer.issues.length >= 1 && answer.issues.length <= 16);
  for (const { path, message } of answer.issues) {
    assert.match(path, /^(?:\/[\w$.-]+)*$/);
    assert.ok(message.length > 0 && message.length < 600, message);
  }
}

function deep(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** What was refused, without what is only said of shapes: all issues but those are the same. */
function verdict(answer: check.Checked<unknown>): unknown {
  return answer.ok ? answer.value : answer.issues.some(({ code }) => code === 'unknown_type');
}

describe('a check that does not explain', () => {
  it('takes and refuses what the one that explains does, with one issue for a shape', () => {
    fc.assert(
      fc.property(fc.oneof(valid, mutated(valid), fc.jsonValue()), (value) => {
        const read = readStreamEvent(value);
        assert.deepEqual(verdict(read), verdict(check.checkStreamEvent(value)));
      }),
      { numRuns: 500 },
    );
    const read = readStreamEvent({ type: 'run', session: 7 });
    assert.deepEqual(read.ok ? undefined : read.issues.map(({ path, code }) => [path, code]), [['', 'type']]);
  });
});

describe('every check', () => {
  it('answers for any JSON and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => CHECKS.forEach((run) => wellFormed(run(value)))),
      { numRuns: 500 },
    );
  });

  it('answers for tampered events', () => {
    fc.assert(
      fc.property(mutated(valid), (value) => CHECKS.forEach((run) => wellFormed(run(value)))),
      { numRuns: 500 },
    );
  });

  it('answers for values that throw when they are read', () => {
    const hostile = { type: 'operation', session: 's', id: 'a', at: 1 };
    const getter = Object.defineProperty({ ...hostile }, 'title', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    const proxy = new Proxy(hostile, {
      ownKeys: () => {
        throw new Error('no');
      },
    });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const value of [getter, proxy, revoked.proxy, { ...hostile, ext: proxy }]) for (const run of CHECKS) wellFormed(run(value));
    assert.deepEqual(check.checkEvent(getter), {
      ok: false,
      issues: [{ path: '', code: 'type', message: 'the value could not be read: give a plain JSON value.' }],
    });
  });

  it('answers for nesting of any depth and for cycles', () => {
    const nested = deep(200_000);
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    for (const value of [nested, cyclic]) {
      for (const run of CHECKS) wellFormed(run(value));
      const answer = check.checkEvent({ type: 'operation', session: 's', id: 'a', at: 1, ext: { value } });
      assert.deepEqual(answer.ok ? [] : answer.issues.map(({ path, code }) => [path, code]), [['/ext', 'too_long']]);
    }
  });

  it('stops looking when there are sixteen issues, and looks at no item of a list that is too long', () => {
    const many = check.checkProgressCardInput(Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, 1])));
    assert.equal(many.ok ? 0 : many.issues.length, 16);
    let read = 0;
    const plan = new Proxy(
      Array.from({ length: 51 }, () => 1),
      { get: (target, key) => (typeof key === 'string' && /^\d+$/.test(key) && read++, Reflect.get(target, key)) },
    );
    const long = check.checkProgressCardInput({ plan });
    assert.deepEqual(long.ok ? [] : long.issues.map((issue) => issue.code), ['too_many']);
    assert.equal(read, 0);
  });

  it('repeats nothing of the content in an issue', () => {
    const secret = 'hunter2 <img> \u001b[31m';
    const inputs = [
      { title: secret, current: secret, total: secret, status: secret, [secret]: secret },
      { plan: [{ step: secret, status: secret, [secret]: 1 }], markdown: [secret] },
      secret,
      [secret],
    ];
    const events = [
      { type: secret },
      {
        type: 'operation',
        session: [secret],
        id: { secret },
        at: secret,
        state: secret,
        native: { protocol: 'x', ids: { [secret]: [secret] } },
      },
    ];
    for (const value of [...inputs, ...events]) {
      for (const run of CHECKS) {
        const answer = run(value);
        assert.ok(!answer.ok);
        assert.doesNotMatch(JSON.stringify(answer.issues), /hunter2|img|u001b/);
      }
    }
  });
});

describe('a checked value', () => {
  it('is the same reference when nothing had to be cleaned, and a second check changes nothing', () => {
    fc.assert(
      fc.property(valid, (value) => {
        const before = JSON.stringify(value);
        const first = check.checkStreamEvent(value);
        assert.equal(JSON.stringify(value), before);
        if (!first.ok) return;
        const second = check.checkStreamEvent(first.value);
        assert.ok(second.ok);
        assert.equal(second.value, first.value);
      }),
      { numRuns: 500 },
    );
  });

  it('shares what was not cleaned with the input', () => {
    const tool = { name: 'bash', origin: 'native' };
    const event = { type: 'operation', session: 's', id: 'a', at: 1, title: 'a\u200b', tool, future: { a: 1 } };
    const answer = check.checkEvent(event);
    assert.ok(answer.ok);
    assert.notEqual(answer.value, event);
    assert.deepEqual(answer.value, { ...event, title: 'a' });
    assert.equal((answer.value as { tool?: unknown }).tool, tool);
  });

  it('is frozen input untouched', () => {
    const card = Object.freeze({ plan: Object.freeze([Object.freeze({ step: 'a\u200b', status: 'pending' })]), markdown: '' });
    assert.deepEqual(check.checkProgressCardInput(card), { ok: true, value: { plan: [{ step: 'a', status: 'pending' }] } });
  });
});
