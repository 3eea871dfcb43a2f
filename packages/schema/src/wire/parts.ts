import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { BLOCKED_KINDS } from './states.ts';
import { integer, name, number, text, time } from './scalars.ts';

/** Objects that occur inside operations, runs and sessions. */

/** The tool an operation runs, as the model knows it. */
export const Tool = Type.Object(
  {
    name: name(LIMITS.word, 'Name of the tool as the model calls it. Never used to correlate.'),
    origin: name(LIMITS.word, 'Where the tool lives: "native", "mcp", or another word.'),
    server: Type.Optional(name(LIMITS.word, 'The MCP server or other host of the tool.')),
  },
  { description: 'The tool this operation runs.' },
);
export type Tool = Type.Static<typeof Tool>;

/** Why an operation did not succeed. Text for people; the code for programs. */
export const Failure = Type.Object(
  {
    message: text(LIMITS.message, 'What went wrong, as text for a person.'),
    code: Type.Optional(text(LIMITS.word, 'A stable word or number for programs.')),
  },
  { description: 'What went wrong.' },
);
export type Failure = Type.Static<typeof Failure>;

/** What a person must do before the operation goes on. The only thing that may ask for attention. */
export const BlockedOn = Type.Object(
  {
    kind: Type.Enum([...BLOCKED_KINDS], { description: 'What is asked of a person.' }),
    prompt: Type.Optional(text(LIMITS.message, 'The question, as text for a person.')),
    requestId: Type.Optional(text(LIMITS.id, 'Identifier of the request to answer.')),
  },
  { description: 'The person this waits on.' },
);
export type BlockedOn = Type.Static<typeof BlockedOn>;

/** The machine an operation waits on. Never asks for attention. */
export const WaitingOn = Type.Object(
  {
    text: Type.Optional(text(LIMITS.message, 'What it waits for, as text for a person.')),
    until: Type.Optional(time('When the wait is expected to end, epoch milliseconds.')),
  },
  { description: 'The machine or clock this waits on.' },
);
export type WaitingOn = Type.Static<typeof WaitingOn>;

/** What the work has cost so far. */
export const Usage = Type.Object(
  {
    tokens: Type.Optional(Type.Number({ minimum: 0, description: 'Tokens used so far.' })),
    cost: Type.Optional(
      Type.Object({ amount: number('Amount of money.'), currency: name(16, 'ISO 4217 code.') }, { description: 'Money spent so far.' }),
    ),
    label: Type.Optional(text(LIMITS.word, 'The same, ready to show: "12.4K tok · $0.03".')),
  },
  { description: 'Tokens and money used.' },
);
export type Usage = Type.Static<typeof Usage>;

/** The peer's own words, kept so that a bridge can give them back unchanged. */
export const Native = Type.Object(
  {
    protocol: name(LIMITS.word, 'Name of the dialect these words come from.'),
    state: Type.Optional(text(LIMITS.word, 'The state as the peer wrote it.')),
    ids: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), { description: 'Identifiers of the peer, by its own names.' }),
    ),
  },
  { description: "The peer's own words." },
);
export type Native = Type.Static<typeof Native>;

/** Anything else, by reverse-domain or product name. Carried, never interpreted. */
export const Ext = Type.Record(Type.String(), Type.Unknown(), { description: 'Extension data: carried, never interpreted.' });
export type Ext = Type.Static<typeof Ext>;

/** First number of the attempts of one invocation. */
export const Attempt = integer(1, 'Which try of the same invocation this is; a higher one starts afresh.');
/** Position within one attempt. */
export const Sequence = integer(0, 'Position within the attempt; one that does not rise is dropped. Absent: order of arrival.');
