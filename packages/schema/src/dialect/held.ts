import type { Operation } from '../wire/operation.ts';
import { isFinal } from '../wire/states.ts';
import type { Stretch } from './agent-stream.ts';
import type { DecodeContext } from './dialect.ts';

/** What a reader that begins in the middle of a stream finds in the session, where its caller holds it. */

/** All operations this peer told of. */
export function heldOperations({ held }: DecodeContext, protocol: string): readonly Operation[] {
  return held === undefined ? [] : [...held.operations.values()].filter(({ native }) => native?.protocol === protocol);
}

/** The newest operation this peer told of under this id, in whatever run. */
export function heldOperation(context: DecodeContext, protocol: string, id: string): Operation | undefined {
  return context.held === undefined ? undefined : heldOperations(context, protocol).findLast((each) => each.id === id);
}

/**
 * The run under way in which this peer told of something, else the only one under way, as long as nobody told of anything in
 * it. Undefined when it could be another's, or either of two.
 */
export function heldRun({ held }: DecodeContext, protocol: string): string | undefined {
  if (held === undefined) return undefined;
  const open = [...held.runs.values()].flatMap(({ run, state }) => (isFinal(state) ? [] : [run]));
  if (open.length === 0) return undefined;
  const told = new Set<string | undefined>();
  const own = new Set<string | undefined>();
  for (const { run, native } of held.operations.values()) {
    told.add(run);
    if (native?.protocol === protocol) own.add(run);
  }
  const [run, ...others] = open.filter((each) => own.has(each));
  if (run !== undefined) return others.length === 0 ? run : undefined;
  return open.length === 1 && !told.has(open[0]) ? open[0] : undefined;
}

/** The stretch that is the operation with this id. */
export function heldStretch({ held }: DecodeContext, id: string, run: string | undefined): Stretch | undefined {
  const operation = held?.find(id, run);
  return operation && stretchOf(operation);
}

/** An operation as the stretch it stands for. */
export function stretchOf({ attempt, state }: Operation): Stretch {
  return { attempt, open: !isFinal(state) };
}
