import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { Epoch, integer, text, time } from './scalars.ts';

/** Stream control: sent by the gateway only, never stored. */

/** Says that the stream lives and where it stands, so that a lost last event is noticed. */
export const Heartbeat = Type.Object(
  {
    type: Type.Literal('heartbeat'),
    epoch: Epoch,
    seq: integer(0, 'Position of the newest event.'),
    at: time("The gateway's clock, epoch milliseconds."),
  },
  { title: 'heartbeat', description: 'The stream lives and stands here.' },
);
export type Heartbeat = Type.Static<typeof Heartbeat>;

/** Says that the cursor could not be resumed; a snapshot follows. */
export const Resync = Type.Object(
  {
    type: Type.Literal('resync'),
    epoch: Epoch,
    seq: integer(0, 'Position the stream goes on from.'),
    reason: text(LIMITS.word, 'Why: "epoch", "too-old", "ahead", "slow", "reset".'),
  },
  { title: 'resync', description: 'The stream does not continue where the reader stopped; a snapshot follows.' },
);
export type Resync = Type.Static<typeof Resync>;

/** Says that nothing more will come on this stream. The reader does not reconnect, except after `shutdown` and `token_expired`. */
export const End = Type.Object(
  {
    type: Type.Literal('end'),
    reason: text(LIMITS.word, 'Why the stream ends. After "shutdown" and "token_expired" the reader comes back.'),
  },
  { title: 'end', description: 'Nothing more will come on this stream.' },
);
export type End = Type.Static<typeof End>;
