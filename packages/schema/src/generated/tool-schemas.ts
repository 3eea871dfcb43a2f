// Generated from src/wire by scripts/generate.ts. Do not edit: change the wire and generate again.

/** JSON Schema of the input of the `report_progress` tool. */
export const REPORT_PROGRESS_SCHEMA = {
  description: 'Report how far a long-running operation is.',
  type: 'object',
  required: ['title', 'current', 'total'],
  properties: {
    title: {
      description: 'Short description of the operation, at most 120 characters.',
      type: 'string',
      minLength: 1,
      maxLength: 120,
    },
    current: {
      description: 'Amount done so far, from 0 to total.',
      type: 'number',
    },
    total: {
      description: 'Amount to do; greater than 0.',
      type: 'number',
      exclusiveMinimum: 0,
    },
    status: {
      description: 'Where it stands. Default: running.',
      enum: ['running', 'completed', 'failed'],
      type: 'string',
    },
    message: {
      description: 'What it does right now, at most 500 characters.',
      type: 'string',
      maxLength: 500,
    },
  },
  additionalProperties: false,
} as const;

/** JSON Schema of the input of the `progress` tool. */
export const PROGRESS_SCHEMA = {
  description: 'Say that long-running work goes on, waits, is done or failed. Never waits for an answer.',
  type: 'object',
  required: ['id', 'status'],
  properties: {
    id: {
      description: 'Stable name of the work. The same id updates in place.',
      type: 'string',
      minLength: 1,
      maxLength: 256,
    },
    status: {
      description: 'waiting means on a machine, never on a person.',
      enum: ['running', 'done', 'error', 'waiting'],
      type: 'string',
    },
    title: {
      description: 'What is being done.',
      type: 'string',
      minLength: 1,
      maxLength: 120,
    },
    detail: {
      description: 'What it does right now.',
      type: 'string',
      maxLength: 500,
    },
    progress: {
      description: 'Part done, 0 to 1.',
      type: 'number',
      minimum: 0,
      maximum: 1,
    },
  },
  additionalProperties: false,
} as const;

/** JSON Schema of the input of the `progress_card` tool. */
export const PROGRESS_CARD_SCHEMA = {
  description: 'Replace the session\'s progress card. Leave both parts out to clear it.',
  type: 'object',
  properties: {
    plan: {
      description: 'Ordered steps, at most 50.',
      type: 'array',
      items: {
        description: 'One step of the plan.',
        type: 'object',
        required: ['step', 'status'],
        properties: {
          step: {
            description: 'What is to be done: 1 to 512 UTF-8 bytes of text.',
            type: 'string',
            minLength: 1,
            maxLength: 512,
          },
          status: {
            description: 'At most one step is in_progress.',
            enum: ['pending', 'in_progress', 'completed'],
            type: 'string',
          },
        },
        additionalProperties: false,
      },
      maxItems: 50,
    },
    markdown: {
      description: 'A short note in Markdown, at most 8,192 UTF-8 bytes.',
      type: 'string',
      maxLength: 8192,
    },
  },
  additionalProperties: false,
} as const;
