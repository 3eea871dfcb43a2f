import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  applyOpenClawPut,
  cardContent,
  cardDetails,
  cardReceipt,
  checkOpenClawCall,
  openClawPlanEvent,
  OPENCLAW_CARD_METHODS,
  progressCard,
} from '@sitrep/schema/dialect';
import type { OpenClawCardCall, OpenClawStored } from '@sitrep/schema/dialect';

const sessionKey = 'agent:main:release';
const PUT = 'progressCard.put';
type Put = Extract<OpenClawCardCall, { method: typeof PUT }>;

function call(method: string, params: unknown): OpenClawCardCall {
  const checked = checkOpenClawCall(method, params);
  assert.ok(checked.ok, JSON.stringify(checked));
  return checked.value;
}

function faults(method: string, params: unknown): unknown[] {
  const checked = checkOpenClawCall(method, params);
  return checked.ok ? [] : checked.issues.map(({ path, code }) => [path, code]);
}

/** A session through several puts, with what each answered and announced. */
function through(...puts: readonly object[]) {
  let stored: OpenClawStored = { revision: 0, card: null };
  const seen = puts.map((params, index) => {
    const done = applyOpenClawPut(stored, call(PUT, { sessionKey, ...params }) as Put, 1000 + index);
    stored = done.stored;
    const { card } = done.answer;
    const details = cardDetails(
      card?.revision ?? 0,
      card === null
        ? null
        : {
            ...(card.steps === undefined ? {} : { plan: card.steps as never }),
            ...(card.markdown === undefined ? {} : { markdown: card.markdown }),
          },
    );
    return [card?.revision ?? null, done.changed === undefined ? 'silent' : done.changed.payload.revision, cardReceipt(details)];
  });
  return { stored, seen };
}

const plan = [
  { step: 'a', status: 'completed' },
  { step: 'b', status: 'in_progress' },
];

describe('the card methods of the profile', () => {
  it('take exactly their own params', () => {
    assert.deepEqual(call('progressCard.get', { sessionKey }), { method: 'progressCard.get', sessionKey });
    assert.deepEqual(call('progressCard.get', { sessionKey, agentId: 'main' }), {
      method: 'progressCard.get',
      sessionKey,
      agentId: 'main',
    });
    assert.deepEqual(call('progressCard.refresh', { sessionKey, idempotencyKey: 'k' }), {
      method: 'progressCard.refresh',
      sessionKey,
      idempotencyKey: 'k',
    });
    assert.deepEqual(call(PUT, { sessionKey, markdown: ' hi ', plan }), { method: PUT, sessionKey, card: { plan, markdown: ' hi ' } });
    assert.deepEqual(call(PUT, { sessionKey }), { method: PUT, sessionKey, card: {} });
    for (const method of OPENCLAW_CARD_METHODS) {
      const own = method === 'progressCard.refresh' ? { idempotencyKey: 'k' } : {};
      assert.deepEqual(faults(method, {}).at(0), ['/sessionKey', 'required']);
      assert.deepEqual(faults(method, { sessionKey: ' ', ...own }), [['/sessionKey', 'type']]);
      assert.deepEqual(faults(method, { sessionKey, ...own, agentId: '' }), [['/agentId', 'type']]);
      assert.deepEqual(faults(method, 'text'), [['', 'type']]);
      assert.deepEqual(faults(method, { sessionKey, ...own, more: 1 }), [['', 'unknown_key']]);
    }
    assert.deepEqual(faults('progressCard.get', { sessionKey, plan }), [['', 'unknown_key']]);
    assert.deepEqual(faults('progressCard.refresh', { sessionKey }), [['/idempotencyKey', 'required']]);
    assert.deepEqual(faults('progressCard.delete', { sessionKey }), [['', 'unknown_type']]);
  });

  it('O9: refuse another key in a step before the profile reads it', () => {
    assert.deepEqual(faults(PUT, { sessionKey, plan: [{ step: 'a', status: 'pending', id: 1 }] }), [['/plan/0', 'unknown_key']]);
  });

  it('O2 to O8: refuse what the profile refuses, by its place', () => {
    for (const [params, fault] of [
      [{ markdown: null }, ['/markdown', 'type']],
      [{ plan: null }, ['/plan', 'type']],
      [{ plan: {} }, ['/plan', 'type']],
      [{ markdown: `${'a'.repeat(8190)}\u200B` }, ['/markdown', 'too_many_bytes']],
      [{ plan: [{ step: 'a'.repeat(513), status: 'pending' }] }, ['/plan/0/step', 'too_many_bytes']],
      [{ plan: [{ step: '\u200B', status: 'pending' }] }, ['/plan/0/step', 'empty']],
      [{ plan: [{ step: 'a', status: 'inProgress' }] }, ['/plan/0/status', 'enum']],
      [{ plan: [plan[1], plan[1]] }, ['/plan/1/status', 'in_progress']],
      [{ expectedRevision: 0 }, ['/expectedRevision', 'range']],
    ] as const)
      assert.deepEqual(faults(PUT, { sessionKey, ...params }), [fault]);
  });

  it('O11 and O12: replace the whole card, and keep the revision through a clear', () => {
    const { seen, stored } = through({ plan, markdown: 'note' }, { markdown: 'only' }, {}, { plan });
    assert.deepEqual(seen, [
      [1, 1, 'Progress card updated (rev 1, 1/2 done)'],
      [2, 2, 'Progress card updated (rev 2)'],
      [null, null, 'Progress card cleared'],
      [4, 4, 'Progress card updated (rev 4, 1/2 done)'],
    ]);
    assert.deepEqual(stored, { revision: 4, card: { sessionKey, revision: 4, updatedAt: 1003, steps: plan } });
  });

  it('clear what never was without writing, and say so all the same', () => {
    const { seen, stored } = through({}, { plan: [], markdown: ' \n' });
    assert.deepEqual(seen, [
      [null, null, 'Progress card cleared'],
      [null, null, 'Progress card cleared'],
    ]);
    assert.deepEqual(stored, { revision: 0, card: null });
  });

  it('O14: compare a clear: another revision changes and announces nothing', () => {
    const { seen, stored } = through({ markdown: 'note' }, { expectedRevision: 2 }, { expectedRevision: 1 });
    assert.deepEqual(seen, [
      [1, 1, 'Progress card updated (rev 1)'],
      [1, 'silent', 'Progress card updated (rev 1)'],
      [null, null, 'Progress card cleared'],
    ]);
    assert.deepEqual(stored, { revision: 2, card: null });
  });

  it('O15: refuse to compare a write', () => {
    assert.deepEqual(faults(PUT, { sessionKey, markdown: 'x', expectedRevision: 1 }), [['/expectedRevision', 'conflict']]);
    assert.deepEqual(faults(PUT, { sessionKey, markdown: ' ', plan: [], expectedRevision: 1 }), []);
  });

  it('never throw, whatever the params', () => {
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    assert.equal(checkOpenClawCall(PUT, revoked.proxy).ok, false);
    fc.assert(
      fc.property(fc.constantFrom(...OPENCLAW_CARD_METHODS, 'other'), fc.anything(), (method, params) => {
        checkOpenClawCall(method, params);
      }),
    );
  });

  it('answer what the dialect reads back as the same card', () => {
    const { stored } = through({ plan, markdown: 'note' });
    const decoded = progressCard.decode({ card: stored.card }, { session: sessionKey, at: 0 });
    assert.deepEqual(decoded, {
      ok: true,
      events: [{ type: 'card', session: sessionKey, revision: 1, at: 1000, card: { plan, markdown: 'note' } }],
      memory: { revision: 1 },
    });
  });
});

describe('the answer of the tool', () => {
  it('is the receipt and the details as JSON, with no revision after a clear', () => {
    const text = (revision: number, card: Parameters<typeof cardDetails>[1]): string[] =>
      cardContent(cardDetails(revision, card)).map((block) => block.text);
    assert.deepEqual(text(4, { plan: [...plan, { step: 'c', status: 'pending' }] as never }), [
      'Progress card updated (rev 4, 1/3 done)',
      '{\n  "revision": 4,\n  "steps": {\n    "completed": 1,\n    "total": 3\n  }\n}',
    ]);
    assert.deepEqual(text(4, { markdown: 'x' }), ['Progress card updated (rev 4)', '{\n  "revision": 4,\n  "steps": null\n}']);
    assert.deepEqual(text(5, null), ['Progress card cleared', '{\n  "revision": null,\n  "steps": null\n}']);
  });
});

describe('the older plan event', () => {
  it('has the steps, the note where there is one, and none of both after a clear', () => {
    assert.deepEqual(openClawPlanEvent({ plan: plan as never, markdown: 'note' }, 'Release').data, {
      phase: 'update',
      title: 'Release',
      source: 'openclaw',
      steps: plan,
      explanation: 'note',
      explanationFormat: 'markdown',
    });
    assert.deepEqual(openClawPlanEvent(null), {
      stream: 'plan',
      data: { phase: 'update', title: 'Progress', source: 'openclaw', steps: [] },
    });
    assert.equal(progressCard.detect(openClawPlanEvent(null)), true);
  });
});
