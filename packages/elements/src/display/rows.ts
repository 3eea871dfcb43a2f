import type { Operation, Run } from '@sitrep/schema';
import type { Connection } from '@sitrep/schema/select';
import { adoptLater } from './adopt-later.ts';
import { lists } from './lists.styles.ts';
import { createIn } from './scope.ts';
import { make } from './make.ts';
import type { OperationNode } from './tree.ts';

/** A list of operations, kept by the element that draws it. */
export type Rows = Element;
type Row = Element & { readonly firstChild: { readonly operation: Operation } };

/** Where a server has drawn a list: while that is taken over, finds it, with each row told of its operation. */
export const drawn: { list?: ((part: string, nodes: readonly OperationNode[]) => Rows | undefined) | undefined } = {};

/** Gives a root the looks of the lists that were drawn in it. */
export const dressLists = (root: ShadowRoot): void => adoptLater(root, lists);

/**
 * The list with these operations in it, inside `host`; `part` is its part. Each keeps its element for as long as it is listed, whatever
 * comes or goes before it: what the reader opened, and the focus, stay with the operation.
 */
export function rows(
  host: Element,
  list: Rows | undefined,
  part: string,
  nodes: readonly OperationNode[],
  runOf: (operation: Operation) => Run | undefined,
  connection: Connection | undefined,
  actions: string | undefined,
): Rows {
  list ??= drawn.list?.(part, nodes) ?? make('ul', part);
  list.role = 'list';
  const before = [...list.children] as Row[];
  const items = nodes.map(({ operation, nested }) => {
    const at = before.findIndex((item) => item.firstChild.operation.id === operation.id && item.firstChild.operation.run === operation.run);
    // Not found is -1, and as an unsigned number past the end: then nothing is taken out.
    let item: Element | undefined = before.splice(at >>> 0, 1)[0];
    if (!item) (item = make('li', 'operation')).append(createIn(host, 'tool-progress'));
    Object.assign(item.firstChild!, { operation, nested, run: runOf(operation), connection, actions });
    return item;
  });
  for (const item of before) item.remove();
  let next = list.firstChild;
  for (const item of items) {
    if (item === next) next = item.nextSibling;
    else list.insertBefore(item, next);
  }
  return list;
}
