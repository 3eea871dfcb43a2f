import type { Row } from './row.ts';
import { TreeKeys } from './tree-keys.ts';
import type { KeyedTree } from './tree-keys.ts';
import type { TreeNode } from './tree-node.ts';

/** What hands need of a tree. */
export interface HandledTree extends KeyedTree {
  views(): Iterable<Row>;
  active(): TreeNode | undefined;
  makeActive(node: TreeNode): void;
}

/** What the reader does to the rows of a tree, with keys and pointer. */
export class RowHands {
  readonly #tree: HandledTree;
  readonly #keys: TreeKeys;

  constructor(tree: HandledTree) {
    this.#tree = tree;
    this.#keys = new TreeKeys(tree);
  }

  readonly key = (event: KeyboardEvent): void => {
    const from = this.#from(event);
    if (from && this.#keys.press(event, from.node, from.control)) event.preventDefault();
  };

  readonly focus = (event: Event): void => {
    const from = this.#from(event);
    if (from && from.node !== this.#tree.active()) this.#tree.makeActive(from.node);
  };

  /** A click on a row opens it, unless the reader was taking text. */
  readonly click = (event: Event): void => {
    const from = this.#from(event);
    if (!from || from.control || (event.target as Element).closest('.body')) return;
    if (document.getSelection()?.type === 'Range') return;
    this.#tree.makeActive(from.node);
    this.#tree.setOpen(from.node, !this.#tree.isOpen(from.node));
  };

  /** The row an event comes from, and the button in it. */
  #from(event: Event): { readonly node: TreeNode; readonly control: HTMLElement | undefined } | undefined {
    const target = event.target as HTMLElement;
    const element = target.closest<HTMLElement>('.row');
    for (const { element: one, node } of this.#tree.views())
      if (one === element && node) return { node, control: target.closest<HTMLElement>('button, a') ?? undefined };
    return undefined;
  }
}
