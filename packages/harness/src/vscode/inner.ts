import { isFinal } from '@sitrep/schema';
import type { SessionIndex } from '@sitrep/schema/reduce';
import type { Operation } from '@sitrep/schema/wire';

/** Operations between one and what it is inside of that are looked through at most: there may be a circle among them. */
const MAX_DEPTH = 64;

/**
 * What goes on inside an operation and is to be told with it: what needs a person, else what moved last. Undefined when nothing
 * does.
 */
export function innerOf(index: SessionIndex, outer: Operation): Operation | undefined {
  let newest: Operation | undefined;
  for (const operation of index.operations.values()) {
    if (operation.parent === undefined || isFinal(operation.state) || operation.run !== outer.run) continue;
    if (operation.state === 'pending' || operation.ambient === true || !isInside(index, operation, outer)) continue;
    if (operation.state === 'blocked') return operation;
    if (newest === undefined || operation.updatedAt >= newest.updatedAt) newest = operation;
  }
  return newest;
}

function isInside(index: SessionIndex, operation: Operation, outer: Operation): boolean {
  let above: Operation | undefined = operation;
  for (let depth = 0; depth < MAX_DEPTH && above?.parent !== undefined; depth++) {
    if (above.parent === outer.id) return true;
    above = index.find(above.parent, above.run);
  }
  return false;
}
