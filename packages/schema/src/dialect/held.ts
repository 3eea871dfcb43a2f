import type { Operation } from '../wire/operation.ts';
import { isFinal } from '../wire/states.ts';
import type { Stretch } from './agent-stream.ts';
import type { DecodeContext } from './dialect.ts';

/** What a reader that begins in the middle of a stream finds in the session, where its caller holds it. */

/** All operations this peer told of. */
export function heldOperations({ held }: DecodeContext, protocol: string): readonly Operation[] {
  const found: Operation[] = [];
  if (held !== undefined) for (const each of held.operations.values()) if (each.native?.protocol === protocol) found.push(each);
  return found;
}

/** The newest operation this peer told of under this id, in whatever run. Asked of every id that is new, so it makes no list. */
export function heldOperation({ held }: DecodeContext, protocol: string, id: string): Operation | undefined {
  let found: Operation | undefined;
  if (held !== undefined)
    for (const each of held.operations.values()) if (each.id === id && each.native?.protocol === protocol) found = each;
  return found;
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
