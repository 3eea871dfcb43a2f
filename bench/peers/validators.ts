/**
 * The operation event and the card event in the language of each validator: the same fields, limits and words, all
 * objects open, as ours reads them. Shared by the Node item and the page, so it must not import anything of Node.
 */
import Ajv from 'ajv';
import { type as ark } from 'arktype';
import { Compile } from 'typebox/compile';
import { Check } from 'typebox/value';
import * as v from 'valibot';
import * as z from 'zod';
import { BLOCKED_KINDS, CardEvent, LIMITS, OPERATION_STATES, OperationEvent, STEP_STATES } from '@sitrep/schema/wire';

/** True when the value has the shape. */
export type Test = (value: unknown) => boolean;
/** One validator; `make` may throw where the platform forbids what it needs (code from text, say). */
export interface Validator {
  readonly name: string;
  make(): { operation: Test; card: Test };
}

const SAFE = Number.MAX_SAFE_INTEGER;
const TIME = 4_102_444_800_000;

function zodShapes() {
  const text = (max: number) => z.string().max(max).nullish();
  const name = (max: number) => z.string().min(1).max(max);
  const id = z.union([name(LIMITS.id), z.int().min(-SAFE).max(SAFE)]);
  const time = z.number().min(0).max(TIME);
  const flag = z.boolean().nullish();
  const amount = z.number().nullish();
  const words = (max: number) => z.string().max(max).optional();
  const operation = z.looseObject({
    type: z.literal('operation'),
    session: name(LIMITS.id),
    id,
    run: name(LIMITS.id).optional(),
    attempt: z.int().min(1).max(SAFE).optional(),
    seq: z.int().min(0).max(SAFE).optional(),
    at: time,
    state: z.enum(OPERATION_STATES).optional(),
    title: text(LIMITS.title),
    activeTitle: text(LIMITS.title),
    message: text(LIMITS.message),
    current: amount,
    total: amount,
    fraction: amount,
    unit: text(LIMITS.word),
    kind: text(LIMITS.word),
    tool: z.looseObject({ name: name(LIMITS.word), origin: name(LIMITS.word), server: name(LIMITS.word).optional() }).nullish(),
    parent: id.nullish(),
    reason: text(LIMITS.word),
    error: z.looseObject({ message: z.string().max(LIMITS.message), code: words(LIMITS.word) }).nullish(),
    blockedOn: z.looseObject({ kind: z.enum(BLOCKED_KINDS), prompt: words(LIMITS.message), requestId: words(LIMITS.id) }).nullish(),
    waitingOn: z.looseObject({ text: words(LIMITS.message), until: time.optional() }).nullish(),
    startedAt: time.nullish(),
    endedAt: time.nullish(),
    cancellable: flag,
    cancelRequested: flag,
    ambient: flag,
    usage: z
      .looseObject({
        tokens: z.number().min(0).optional(),
        cost: z.looseObject({ amount: z.number(), currency: name(16) }).optional(),
        label: words(LIMITS.word),
      })
      .nullish(),
    native: z
      .looseObject({
        protocol: name(LIMITS.word),
        state: words(LIMITS.word),
        ids: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      })
      .nullish(),
    ext: z.record(z.string(), z.unknown()).nullish(),
  });
  const step = z.looseObject({ step: name(LIMITS.stepBytes), status: z.enum(STEP_STATES) });
  const card = z.looseObject({
    type: z.literal('card'),
    session: name(LIMITS.id),
    revision: z.int().min(1).max(SAFE),
    at: time,
    run: name(LIMITS.id).optional(),
    card: z.looseObject({ plan: z.array(step).max(LIMITS.planSteps).optional(), markdown: words(LIMITS.noteBytes) }).nullable(),
  });
  return { operation, card };
}

function valibotShapes() {
  const words = (max: number) => v.pipe(v.string(), v.maxLength(max));
  const name = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
  const text = (max: number) => v.optional(v.nullable(words(max)));
  const integer = (min: number) => v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(SAFE));
  const id = v.union([name(LIMITS.id), integer(-SAFE)]);
  const time = v.pipe(v.number(), v.minValue(0), v.maxValue(TIME));
  const flag = v.optional(v.nullable(v.boolean()));
  const amount = v.optional(v.nullable(v.number()));
  const operation = v.looseObject({
    type: v.literal('operation'),
    session: name(LIMITS.id),
    id,
    run: v.optional(name(LIMITS.id)),
    attempt: v.optional(integer(1)),
    seq: v.optional(integer(0)),
    at: time,
    state: v.optional(v.picklist(OPERATION_STATES)),
    title: text(LIMITS.title),
    activeTitle: text(LIMITS.title),
    message: text(LIMITS.message),
    current: amount,
    total: amount,
    fraction: amount,
    unit: text(LIMITS.word),
    kind: text(LIMITS.word),
    tool: v.optional(
      v.nullable(v.looseObject({ name: name(LIMITS.word), origin: name(LIMITS.word), server: v.optional(name(LIMITS.word)) })),
    ),
    parent: v.optional(v.nullable(id)),
    reason: text(LIMITS.word),
    error: v.optional(v.nullable(v.looseObject({ message: words(LIMITS.message), code: v.optional(words(LIMITS.word)) }))),
    blockedOn: v.optional(
      v.nullable(
        v.looseObject({
          kind: v.picklist(BLOCKED_KINDS),
          prompt: v.optional(words(LIMITS.message)),
          requestId: v.optional(words(LIMITS.id)),
        }),
      ),
    ),
    waitingOn: v.optional(v.nullable(v.looseObject({ text: v.optional(words(LIMITS.message)), until: v.optional(time) }))),
    startedAt: v.optional(v.nullable(time)),
    endedAt: v.optional(v.nullable(time)),
    cancellable: flag,
    cancelRequested: flag,
    ambient: flag,
    usage: v.optional(
      v.nullable(
        v.looseObject({
          tokens: v.optional(v.pipe(v.number(), v.minValue(0))),
          cost: v.optional(v.looseObject({ amount: v.number(), currency: name(16) })),
          label: v.optional(words(LIMITS.word)),
        }),
      ),
    ),
    native: v.optional(
      v.nullable(
        v.looseObject({
          protocol: name(LIMITS.word),
          state: v.optional(words(LIMITS.word)),
          ids: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
        }),
      ),
    ),
    ext: v.optional(v.nullable(v.record(v.string(), v.unknown()))),
  });
  const step = v.looseObject({ step: name(LIMITS.stepBytes), status: v.picklist(STEP_STATES) });
  const card = v.looseObject({
    type: v.literal('card'),
    session: name(LIMITS.id),
    revision: integer(1),
    at: time,
    run: v.optional(name(LIMITS.id)),
    card: v.nullable(
      v.looseObject({
        plan: v.optional(v.pipe(v.array(step), v.maxLength(LIMITS.planSteps))),
        markdown: v.optional(words(LIMITS.noteBytes)),
      }),
    ),
  });
  return { operation, card };
}

function arktypeShapes() {
  const id = '1 <= string <= 256 | -9007199254740991 <= number.integer <= 9007199254740991';
  const time = `0 <= number <= ${TIME}` as const;
  const operation = ark({
    type: "'operation'",
    session: '1 <= string <= 256',
    id,
    'run?': '1 <= string <= 256',
    'attempt?': `1 <= number.integer <= ${SAFE}`,
    'seq?': `0 <= number.integer <= ${SAFE}`,
    at: time,
    'state?': ark.enumerated(...OPERATION_STATES),
    'title?': 'string <= 120 | null',
    'activeTitle?': 'string <= 120 | null',
    'message?': 'string <= 500 | null',
    'current?': 'number | null',
    'total?': 'number | null',
    'fraction?': 'number | null',
    'unit?': 'string <= 120 | null',
    'kind?': 'string <= 120 | null',
    'tool?': ark({ name: '1 <= string <= 120', origin: '1 <= string <= 120', 'server?': '1 <= string <= 120' }).or('null'),
    'parent?': `${id} | null`,
    'reason?': 'string <= 120 | null',
    'error?': ark({ message: 'string <= 500', 'code?': 'string <= 120' }).or('null'),
    'blockedOn?': ark({ kind: ark.enumerated(...BLOCKED_KINDS), 'prompt?': 'string <= 500', 'requestId?': 'string <= 256' }).or('null'),
    'waitingOn?': ark({ 'text?': 'string <= 500', 'until?': time }).or('null'),
    'startedAt?': `${time} | null`,
    'endedAt?': `${time} | null`,
    'cancellable?': 'boolean | null',
    'cancelRequested?': 'boolean | null',
    'ambient?': 'boolean | null',
    'usage?': ark({ 'tokens?': 'number >= 0', 'cost?': { amount: 'number', currency: '1 <= string <= 16' }, 'label?': 'string <= 120' }).or(
      'null',
    ),
    'native?': ark({ protocol: '1 <= string <= 120', 'state?': 'string <= 120', 'ids?': 'Record<string, string | number>' }).or('null'),
    'ext?': 'Record<string, unknown> | null',
  });
  const card = ark({
    type: "'card'",
    session: '1 <= string <= 256',
    revision: `1 <= number.integer <= ${SAFE}`,
    at: time,
    'run?': '1 <= string <= 256',
    card: ark({
      'plan?': ark({ step: '1 <= string <= 512', status: ark.enumerated(...STEP_STATES) })
        .array()
        .atMostLength(LIMITS.planSteps),
      'markdown?': 'string <= 8192',
    }).or('null'),
  });
  return { operation, card };
}

/** The peers. Names are those of the tables. */
export const validators: readonly Validator[] = [
  {
    name: 'TypeBox Compile',
    make() {
      const operation = Compile(OperationEvent);
      const card = Compile(CardEvent);
      return { operation: (value) => operation.Check(value), card: (value) => card.Check(value) };
    },
  },
  {
    name: 'TypeBox Value.Check',
    make: () => ({ operation: (value) => Check(OperationEvent, value), card: (value) => Check(CardEvent, value) }),
  },
  {
    name: 'ajv',
    make() {
      const ajv = new Ajv({ strict: false });
      const compiled = (schema: object) => ajv.compile(JSON.parse(JSON.stringify(schema)) as object);
      const operation = compiled(OperationEvent);
      const card = compiled(CardEvent);
      return { operation: (value) => operation(value), card: (value) => card(value) };
    },
  },
  {
    name: 'zod',
    make() {
      const { operation, card } = zodShapes();
      return { operation: (value) => operation.safeParse(value).success, card: (value) => card.safeParse(value).success };
    },
  },
  {
    name: 'valibot',
    make() {
      const { operation, card } = valibotShapes();
      return { operation: (value) => v.is(operation, value), card: (value) => v.is(card, value) };
    },
  },
  {
    name: 'arktype',
    make() {
      const { operation, card } = arktypeShapes();
      return { operation: (value) => operation.allows(value), card: (value) => card.allows(value) };
    },
  },
];
