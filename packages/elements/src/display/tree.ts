import type { Operation } from '@sitrep/schema';

/** Identifier of an operation. Its type counts: `7` is not `"7"`. */
export type OperationId = Operation['id'];

/** An operation and what runs under it. */
export interface OperationNode {
  readonly operation: Operation;
  readonly nested: readonly OperationNode[];
}

/** Deeper levels are drawn at this one: a tree of any depth stays readable and cannot exhaust the stack. */
const DEEPEST = 6;

interface Growing {
  readonly operation: Operation;
  readonly nested: Growing[];
}

/** Puts operations under their parents, in the order given. A parent that is not there, or a circle, makes a root. */
export function operationTree(operations: readonly Operation[]): readonly OperationNode[] {
  const nodes: Growing[] = operations.map((operation) => ({ operation, nested: [] }));
  const byRun = new Map<string | undefined, Map<OperationId, Growing>>();
  const anywhere = new Map<OperationId, Growing>();
  for (const node of nodes) {
    const { run, id } = node.operation;
    let ids = byRun.get(run);
    if (!ids) byRun.set(run, (ids = new Map()));
    ids.set(id, node);
    if (!anywhere.has(id)) anywhere.set(id, node);
  }
  const parentOf = (node: Growing): Growing | undefined => {
    const { parent, run } = node.operation;
    return parent === undefined ? undefined : (byRun.get(run)?.get(parent) ?? anywhere.get(parent));
  };
  const roots: Growing[] = [];
  for (const node of nodes) {
    const line = lineage(node, parentOf);
    const parent = line === undefined ? undefined : line[Math.max(0, line.length - DEEPEST)];
    (parent?.nested ?? roots).push(node);
  }
  return roots;
}

/** The parents of a node, nearest first; empty for a root, undefined when they run in a circle. */
function lineage(node: Growing, parentOf: (node: Growing) => Growing | undefined): Growing[] | undefined {
  const line: Growing[] = [];
  const seen = new Set<Growing>([node]);
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (seen.has(at)) return undefined;
    seen.add(at);
    line.push(at);
  }
  return line;
}

/** When what is nested was last heard of, epoch milliseconds; 0 for nothing. No deeper than the tree is drawn. */
export function heardUnder(nested: readonly OperationNode[], levels = DEEPEST): number {
  return levels && nested.reduce((last, node) => Math.max(last, node.operation.updatedAt, heardUnder(node.nested, levels - 1)), 0);
}
