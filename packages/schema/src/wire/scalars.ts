import * as Type from 'typebox';
import { LIMITS } from './limits.ts';

/** Shared leaves of the wire. A text of at most `max` code points, described for the emitted JSON Schema. */
export const text = (max: number, description: string) => Type.String({ maxLength: max, description });
/** A text that must hold at least one character. */
export const name = (max: number, description: string) => Type.String({ minLength: 1, maxLength: max, description });
/** A finite number. JSON knows no other, and `NaN` or `Infinity` in memory are refused. */
export const number = (description: string) => Type.Number({ description });
/** An integer that JavaScript carries without rounding: larger ones must travel as text. */
export const integer = (minimum: number, description: string) => Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description });
/** Epoch milliseconds, 1970 to 2100. */
export const time = (description: string) => Type.Number({ minimum: 0, maximum: 4_102_444_800_000, description });
/** Optional in an event: absent keeps the stored value, `null` clears it. */
export const clearable = <T extends Type.TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));

/** An identifier keeps its JSON type: the number `7` and the text `"7"` name different things. */
export const Id = Type.Union(
  [
    Type.String({ minLength: 1, maxLength: LIMITS.id }),
    Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  ],
  { description: 'Identifier of an operation. Its JSON type counts: 7 is not "7".' },
);
export type Id = Type.Static<typeof Id>;

/** The session (chat, thread) an event belongs to. */
export const SessionKey = name(LIMITS.id, 'The session (chat or thread) this belongs to.');
/** The run (one turn of the agent) an event belongs to. */
export const RunKey = name(LIMITS.id, 'The run (one turn of the agent) this belongs to.');
/** One life of a history: cursors of another epoch cannot be resumed. */
export const Epoch = name(64, 'One unbroken life of the history; a new one starts whenever continuity cannot be shown.');
