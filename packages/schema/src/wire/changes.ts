import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { Card } from './card.ts';
import { Operation } from './operation.ts';
import { Run } from './run.ts';
import { Usage } from './parts.ts';
import { Epoch, Id, integer, RunKey, SessionKey, text, time } from './scalars.ts';

/** Names an operation that is not on the list any more. */
const Removed = Type.Object({ id: Id, run: Type.Optional(RunKey) });

/**
 * What became of a session between two positions, the newest of each record whole: sent in place of the events in between to
 * a reader that was behind. Whoever stands at `after`, or between it and `seq`, stands at `seq` afterwards. What is not named
 * has not changed.
 */
export const Changes = Type.Object(
  {
    type: Type.Literal('changes'),
    session: SessionKey,
    epoch: Epoch,
    after: integer(0, 'Position that these changes follow.'),
    seq: integer(0, 'Position of the newest event in them.'),
    at: time("When they were taken, epoch milliseconds by the gateway's clock."),
    removed: Type.Array(Removed, {
      maxItems: LIMITS.operations,
      description: 'Operations that left the list, before the others are stored: one that came back is in both lists.',
    }),
    operations: Type.Array(Operation, {
      maxItems: LIMITS.operations,
      description: 'Operations that changed, in order of first appearance, each as a whole.',
    }),
    runs: Type.Optional(Type.Array(Run, { maxItems: LIMITS.runs, description: 'All runs, when one of them changed.' })),
    revision: Type.Optional(integer(0, 'Revision of the card, when it changed.')),
    card: Type.Optional(Type.Union([Card, Type.Null()])),
    cardUpdatedAt: Type.Optional(time('When the card was written, epoch milliseconds.')),
    cardRun: Type.Optional(RunKey),
    title: Type.Optional(Type.Union([text(LIMITS.title, 'Title of the chat or thread, when title or usage changed.'), Type.Null()])),
    usage: Type.Optional(Type.Union([Usage, Type.Null()])),
  },
  { title: 'changes', description: 'What changed between two positions, the newest of each.' },
);
export type Changes = Type.Static<typeof Changes>;
