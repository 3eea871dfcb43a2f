import * as Type from 'typebox';
import { Id, RunKey, SessionKey, time } from './scalars.ts';

/** Takes one operation off the list. Its id stays used: a late event for the same attempt does not bring it back. */
export const OperationClearEvent = Type.Object(
  {
    type: Type.Literal('operation.clear'),
    session: SessionKey,
    id: Id,
    run: Type.Optional(RunKey),
    at: time('When this was written, epoch milliseconds.'),
  },
  { title: 'operation.clear', description: 'Takes one operation off the list.' },
);
export type OperationClearEvent = Type.Static<typeof OperationClearEvent>;
