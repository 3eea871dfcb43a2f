import type { Operation } from '@sitrep/schema';
import { operationTree } from '../display/tree.ts';
import type { OperationNode } from '../display/tree.ts';

/** The tree of a session is built once per change, whoever asks for a part of it. */
const trees = new WeakMap<readonly Operation[], ReadonlyMap<Operation, readonly OperationNode[]>>();

/** What lies under one operation of a session. */
export function nestedUnder(operations: readonly Operation[], operation: Operation): readonly OperationNode[] {
  let under = trees.get(operations);
  if (!under) {
    const all = new Map<Operation, readonly OperationNode[]>();
    const add = ({ operation: one, nested }: OperationNode): void => {
      all.set(one, nested);
      nested.forEach(add);
    };
    operationTree(operations).forEach(add);
    trees.set(operations, (under = all));
  }
  return under.get(operation) ?? [];
}
