/**
 * Progress of one tool invocation as Rig proposes it: `{internal_call_id, sequence, message?, completed?, total?}`. The
 * sequence rises within one invocation and decides what is stale; each frame carries its amounts whole.
 *
 * In: a sequence may be a number or its digits as text; one above 2^53 - 1 is refused, because rounding it would break the
 * order it exists for. A null field is an absent one. Amounts that are not finite are left out, a total of zero or less is
 * unknown, a count above the total stays as it is.
 *
 * Lost on the way out: every state (the peer tells the end of a call elsewhere, so final events have no frame); titles,
 * units, kinds, tools, parents, times, usage, attempts, run; a fraction without amounts. An event without sequence has no
 * frame, because none may be invented. Cards, runs, sessions and clears have none either.
 */
import { isObject } from '../check/guards.ts';
import { addIssue } from '../check/issue-list.ts';
import type { Issue } from '../check/issue.ts';
import { LIMITS } from '../wire/limits.ts';
import { isFinal } from '../wire/states.ts';
import type { OperationEvent } from '../wire/operation.ts';
import type { Decoded, DecodeContext, Dialect, Encoded } from './dialect.ts';
import { finish, placed, present, refuse } from './finish.ts';
import { nativeId, nativeOf } from './native.ts';
import { readId, readNumber, readText, readTotal } from './reading.ts';
import { guarded } from './guarded.ts';

/** The event of that peer. */
export interface ToolProgressFrame {
  readonly internal_call_id: string | number;
  /** A safe integer, or its digits. */
  readonly sequence: number | string;
  readonly message?: string;
  readonly completed?: number;
  readonly total?: number;
}

const NAME = 'tool-progress';
const DIGITS = /^\d{1,16}$/;

function decode(frame: unknown, context: DecodeContext): Decoded {
  if (!isObject(frame)) return refuse('', 'type', 'must be an object with internal_call_id and sequence.');
  const id = readId(frame['internal_call_id']) ?? context.id;
  if (id === undefined)
    return refuse('/internal_call_id', 'required', `must be text of 1 to ${LIMITS.id} characters that names the invocation.`);
  const mended: Issue[] = [];
  const seq = readSequence(frame['sequence']);
  if (seq === null)
    return refuse(
      '/sequence',
      'range',
      `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}: a larger one could not be kept exactly.`,
    );
  if (seq === undefined) addIssue(mended, '/sequence', 'required', 'is missing; the frame was taken in order of arrival.');
  const current = readNumber(frame['completed'], '/completed', mended);
  const total = readTotal(frame['total'], '/total', mended);
  return finish(
    {
      ...placed(context, id),
      state: 'running',
      ...present({ seq, message: readText(frame['message'], LIMITS.message, '/message', mended), current }),
      ...(current === undefined && total === null ? undefined : { total }),
      native: nativeOf(NAME, undefined, {
        internal_call_id: frame['internal_call_id'],
        sequence: typeof frame['sequence'] === 'string' ? frame['sequence'] : undefined,
      }),
    },
    mended,
  );
}

/** The sequence; undefined when there is none, null when it cannot be carried exactly. */
function readSequence(value: unknown): number | undefined | null {
  if (value === undefined || value === null) return undefined;
  const sequence = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
  return Number.isSafeInteger(sequence) && (sequence as number) >= 0 ? (sequence as number) : null;
}

function encodeOperation(event: OperationEvent): Encoded<ToolProgressFrame> {
  if (event.seq === undefined || (event.state !== undefined && isFinal(event.state))) return [];
  const written = nativeId(event, NAME, 'sequence');
  return [
    {
      internal_call_id: nativeId(event, NAME, 'internal_call_id') ?? event.id,
      sequence: written !== undefined && readSequence(written) === event.seq ? written : event.seq,
      ...present({ message: event.message ?? undefined, completed: event.current ?? undefined, total: event.total ?? undefined }),
    },
  ];
}

/** The dialect of per-invocation tool progress. */
export const toolProgress: Dialect<ToolProgressFrame> = guarded({
  name: NAME,
  whole: [],
  detect: (frame) =>
    isObject(frame) && readId(frame['internal_call_id']) !== undefined && typeof readSequence(frame['sequence']) === 'number',
  decode,
  encode: (event) => (event.type === 'operation' ? encodeOperation(event) : []),
});
