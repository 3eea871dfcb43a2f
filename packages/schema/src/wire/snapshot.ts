import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { Card } from './card.ts';
import { Operation } from './operation.ts';
import { Run } from './run.ts';
import { Usage } from './parts.ts';
import { Epoch, integer, RunKey, SessionKey, text, time } from './scalars.ts';

/**
 * Everything a reader needs to draw a session, atomic with the stream: events after `seq` of the same `epoch` continue
 * it. Sent first on every stream that does not resume, and by the snapshot address.
 */
export const Snapshot = Type.Object(
  {
    type: Type.Literal('snapshot'),
    session: SessionKey,
    epoch: Epoch,
    seq: integer(0, 'Position of the newest event in this snapshot.'),
    at: time("When it was taken, epoch milliseconds by the gateway's clock."),
    card: Type.Union([Card, Type.Null()]),
    revision: integer(0, 'Revision of the card, clears included; 0 when there never was one.'),
    cardUpdatedAt: Type.Optional(time('When the card was written, epoch milliseconds.')),
    cardRun: Type.Optional(RunKey),
    operations: Type.Array(Operation, { maxItems: LIMITS.operations, description: 'Operations in order of first appearance.' }),
    runs: Type.Array(Run, { maxItems: LIMITS.runs, description: 'Runs in order of first appearance.' }),
    title: Type.Optional(text(LIMITS.title, 'Title of the chat or thread.')),
    usage: Type.Optional(Usage),
  },
  { title: 'snapshot', description: 'A whole session as it stands.' },
);
export type Snapshot = Type.Static<typeof Snapshot>;
