import assert from 'node:assert/strict';
import { it } from 'node:test';
import { checkCardPut, checkEvent, checkProgressCardInput, checkProgressInput, checkReportProgressInput } from '@sitrep/schema/check';
import type { Checked } from '@sitrep/schema/check';

const event = { type: 'operation', session: 's', id: 'a', at: 1 };
const messages = (answer: Checked<unknown>): string[] => (answer.ok ? [] : answer.issues.map((issue) => issue.message));

const ROWS: [what: string, answer: Checked<unknown>, message: string][] = [
  [
    'a text that is too long',
    checkReportProgressInput({ title: 'a'.repeat(121), current: 0, total: 1 }),
    'title must be text of 1 to 120 characters, but is text of 121 characters.',
  ],
  [
    'a number out of range',
    checkReportProgressInput({ title: 'a', current: 0, total: 0 }),
    'total must be a finite number greater than 0, but is out of that range.',
  ],
  [
    'a fraction out of range',
    checkProgressInput({ id: 'a', status: 'running', progress: 1.2 }),
    'progress must be a finite number of at least 0 and at most 1, but is out of that range.',
  ],
  ['a missing field', checkProgressInput({ id: 'a' }), 'status is missing; it must be one of running, done, error, waiting.'],
  [
    'a word that is not in the list',
    checkProgressInput({ id: 'a', status: 'failed' }),
    'status must be one of running, done, error, waiting, but is another value.',
  ],
  ['an unknown field', checkProgressCardInput({ notes: 'x' }), 'notes is not a known field; the known ones are plan, markdown.'],
  ['a wrong kind', checkProgressCardInput({ plan: null }), 'plan must be an array of at most 50 items, but is null.'],
  [
    'too many items',
    checkProgressCardInput({ plan: Array.from({ length: 51 }, () => ({ step: 'a', status: 'pending' })) }),
    'plan must be an array of at most 50 items, but is an array of 51 items.',
  ],
  [
    'too many bytes',
    checkProgressCardInput({ plan: [{ step: 'é'.repeat(257), status: 'pending' }] }),
    'plan[0].step must be at most 512 UTF-8 bytes, but has 514.',
  ],
  [
    'a blank step',
    checkProgressCardInput({ plan: [{ step: '\u200b', status: 'pending' }] }),
    'plan[0].step must hold something that can be seen.',
  ],
  [
    'a second step in progress',
    checkProgressCardInput({
      plan: [
        { step: 'a', status: 'in_progress' },
        { step: 'b', status: 'in_progress' },
      ],
    }),
    'plan[1].status must not be in_progress: at most one step is, and plan[0] already is.',
  ],
  [
    'a revision that is none',
    checkCardPut({ expectedRevision: 1.5 }),
    'expectedRevision must be a whole number of at least 0, but is a number with a fraction.',
  ],
  [
    'an id of the wrong kind',
    checkEvent({ ...event, id: [1, 2] }),
    'id must be text of 1 to 256 characters or a whole number, but is an array of 2 items.',
  ],
  [
    'an id no number can hold',
    checkEvent({ ...event, id: 2 ** 53 }),
    'id must be text of 1 to 256 characters or a whole number, but is a whole number too large to be exact.',
  ],
  ['a value that is no object', checkEvent('x'), 'the value must be an object, but is text of 1 character.'],
];

for (const [what, answer, message] of ROWS)
  it(`the message about ${what} names the field, the rule and what was found`, () => assert.deepEqual(messages(answer), [message]));
