import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { STEP_STATES } from './states.ts';
import { integer, RunKey, SessionKey, time } from './scalars.ts';

/**
 * What the session says about itself: a plan, a Markdown note, or both. Each write replaces the whole card; order is by
 * revision, which rises for ever, clears included. The byte limits of LIMITS are checked beside this shape, because
 * JSON Schema can only count characters.
 */

/** One step of a plan. Steps have no identity of their own: the same text may stand twice. */
export const Step = Type.Object(
  {
    step: Type.String({ minLength: 1, maxLength: LIMITS.stepBytes, description: 'What is to be done: 1 to 512 UTF-8 bytes of text.' }),
    status: Type.Enum([...STEP_STATES], { description: 'Where this step stands; at most one is in_progress.' }),
  },
  { description: 'One step of the plan.' },
);
export type Step = Type.Static<typeof Step>;

/** The body of a card. At least one part is present in a stored card. */
export const Card = Type.Object(
  {
    plan: Type.Optional(Type.Array(Step, { maxItems: LIMITS.planSteps, description: 'Ordered steps, at most 50.' })),
    markdown: Type.Optional(
      Type.String({ maxLength: LIMITS.noteBytes, description: 'A short note in Markdown, at most 8,192 UTF-8 bytes.' }),
    ),
  },
  { title: 'card body', description: 'A plan, a note, or both.' },
);
export type Card = Type.Static<typeof Card>;

/** Revision of a session's card. */
export const Revision = integer(1, 'Number of this write: one more than the last, clears included.');

/** A card write as it was stored. `card: null` is a clear. */
export const CardEvent = Type.Object(
  {
    type: Type.Literal('card'),
    session: SessionKey,
    revision: Revision,
    at: time('When it was written, epoch milliseconds.'),
    run: Type.Optional(RunKey),
    card: Type.Union([Card, Type.Null()]),
  },
  { title: 'card', description: "The session's card was replaced or cleared." },
);
export type CardEvent = Type.Static<typeof CardEvent>;

/** The card of a session as it stands. A cleared card keeps its revision. */
export const CardRecord = Type.Object(
  {
    revision: integer(0, 'Revision of the newest write; 0 when there was none.'),
    updatedAt: Type.Optional(time('When the newest write was made, epoch milliseconds.')),
    run: Type.Optional(RunKey),
    card: Type.Union([Card, Type.Null()]),
  },
  { title: 'card record', description: "The session's card as it stands." },
);
export type CardRecord = Type.Static<typeof CardRecord>;
