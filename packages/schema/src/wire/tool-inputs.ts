import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { Step } from './card.ts';
import { integer } from './scalars.ts';

/**
 * What a model or an HTTP client writes, as opposed to what is stored. Closed objects: a key that is not listed is
 * refused, so that a misspelt one is noticed by whoever wrote it.
 */
const closed = { additionalProperties: false } as const;

/** Input of the `report_progress` tool. */
export const ReportProgressInput = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: LIMITS.title,
      description: 'Short description of the operation, at most 120 characters.',
    }),
    current: Type.Number({ description: 'Amount done so far, from 0 to total.' }),
    total: Type.Number({ exclusiveMinimum: 0, description: 'Amount to do; greater than 0.' }),
    status: Type.Optional(Type.Enum(['running', 'completed', 'failed'], { description: 'Where it stands. Default: running.' })),
    message: Type.Optional(Type.String({ maxLength: LIMITS.message, description: 'What it does right now, at most 500 characters.' })),
  },
  { ...closed, title: 'report_progress', description: 'Report how far a long-running operation is.' },
);
export type ReportProgressInput = Type.Static<typeof ReportProgressInput>;

/** Input of the `progress` tool. */
export const ProgressInput = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: LIMITS.id, description: 'Stable name of the work. The same id updates in place.' }),
    status: Type.Enum(['running', 'done', 'error', 'waiting'], { description: 'waiting means on a machine, never on a person.' }),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.title, description: 'What is being done.' })),
    detail: Type.Optional(Type.String({ maxLength: LIMITS.message, description: 'What it does right now.' })),
    progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: 'Part done, 0 to 1.' })),
  },
  { ...closed, title: 'progress', description: 'Say that long-running work goes on, waits, is done or failed. Never waits for an answer.' },
);
export type ProgressInput = Type.Static<typeof ProgressInput>;

const ToolStep = Type.Object(
  {
    step: Step.properties.step,
    status: Type.Enum(['pending', 'in_progress', 'completed'], { description: 'At most one step is in_progress.' }),
  },
  { ...closed, description: 'One step of the plan.' },
);

/** Input of the `progress_card` tool. Each call replaces the whole card; nothing in it clears the card. */
export const ProgressCardInput = Type.Object(
  {
    plan: Type.Optional(Type.Array(ToolStep, { maxItems: LIMITS.planSteps, description: 'Ordered steps, at most 50.' })),
    markdown: Type.Optional(
      Type.String({ maxLength: LIMITS.noteBytes, description: 'A short note in Markdown, at most 8,192 UTF-8 bytes.' }),
    ),
  },
  { ...closed, title: 'progress_card', description: "Replace the session's progress card. Leave both parts out to clear it." },
);
export type ProgressCardInput = Type.Static<typeof ProgressCardInput>;

/** Body of a card write over HTTP: the tool's input and what the writer believes the revision to be. */
export const CardPut = Type.Object(
  {
    ...ProgressCardInput.properties,
    expectedRevision: Type.Optional(integer(0, 'Revision the writer has seen; a mismatch is a conflict.')),
  },
  { ...closed, title: 'card put', description: 'A card write over HTTP.' },
);
export type CardPut = Type.Static<typeof CardPut>;
