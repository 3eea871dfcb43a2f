import { displayTitle } from '@sitrep/schema/select';
import type { TreeNode } from './tree-node.ts';

/** What the keys move about in. */
export interface KeyedTree {
  rows(): readonly TreeNode[];
  /** Rows that fit into sight. */
  page(): number;
  isOpen(node: TreeNode): boolean;
  setOpen(node: TreeNode, open: boolean): void;
  focusRow(index: number): void;
  /** Buttons within a row. */
  controlsOf(node: TreeNode): readonly HTMLElement[];
  /** True where lines run from right to left. */
  rightToLeft(): boolean;
}

/** Letters typed within this time belong to one word, milliseconds. */
const WORD = 700;

/** The keys of a treegrid: arrows, Home, End, pages, first letters, Enter and Space. Nothing is bound to a key that the browser needs. */
export class TreeKeys {
  readonly #tree: KeyedTree;
  #word = '';
  #typedAt = -Infinity;

  constructor(tree: KeyedTree) {
    this.#tree = tree;
  }

  /** Does what a key says that was pressed on a row, or on a button in it. True if it was one of ours. */
  press(event: KeyboardEvent, node: TreeNode, control: HTMLElement | undefined): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || event.defaultPrevented) return false;
    const tree = this.#tree;
    const at = node.index;
    const last = tree.rows().length - 1;
    const [back, on] = tree.rightToLeft() ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight'];
    if (control && (event.key === 'Enter' || event.key === ' ')) return false;
    switch (event.key) {
      case 'ArrowDown':
        return this.#go(Math.min(last, at + 1));
      case 'ArrowUp':
        return this.#go(Math.max(0, at - 1));
      case 'Home':
        return this.#go(0);
      case 'End':
        return this.#go(last);
      case 'PageDown':
        return this.#go(Math.min(last, at + tree.page()));
      case 'PageUp':
        return this.#go(Math.max(0, at - tree.page()));
      case on:
        return this.#inwards(node, control);
      case back:
        return this.#outwards(node, control);
      case 'Escape':
        if (control) return this.#go(at);
        if (!tree.isOpen(node)) return false;
        tree.setOpen(node, false);
        return true;
      case 'Enter':
      case ' ':
        if (event.key === ' ' && this.#isTyping(event)) return this.#type(event, at);
        tree.setOpen(node, !tree.isOpen(node));
        return true;
      case '*':
        for (const beside of node.parent?.children ?? tree.rows().filter(({ level }) => level === 1))
          if (beside.children.length > 0) tree.setOpen(beside, true);
        return true;
      default:
        return event.key.length === 1 && this.#type(event, at);
    }
  }

  #go(index: number): true {
    this.#tree.focusRow(index);
    return true;
  }

  /** Opens; once open goes to the first row under it; where there is none, to its buttons. */
  #inwards(node: TreeNode, control: HTMLElement | undefined): boolean {
    const tree = this.#tree;
    if (!control && !tree.isOpen(node)) {
      tree.setOpen(node, true);
      return true;
    }
    if (!control && node.children.length > 0) return this.#go(Math.min(node.index + 1, tree.rows().length - 1));
    const controls = tree.controlsOf(node);
    const next = controls[control ? controls.indexOf(control) + 1 : 0];
    next?.focus();
    return next !== undefined;
  }

  /** From a button to the row; closes; once closed goes to the row it lies under. */
  #outwards(node: TreeNode, control: HTMLElement | undefined): boolean {
    const tree = this.#tree;
    if (control) {
      const controls = tree.controlsOf(node);
      const before = controls[controls.indexOf(control) - 1];
      if (before) before.focus();
      else tree.focusRow(node.index);
    } else if (tree.isOpen(node)) tree.setOpen(node, false);
    else if (node.parent) tree.focusRow(node.parent.index);
    else return false;
    return true;
  }

  #isTyping({ timeStamp }: KeyboardEvent): boolean {
    return this.#word !== '' && timeStamp - this.#typedAt < WORD;
  }

  /** Goes to the next row whose name begins with what was typed. */
  #type(event: KeyboardEvent, from: number): boolean {
    const letter = event.key.toLocaleLowerCase();
    this.#word = this.#isTyping(event) ? this.#word + letter : letter;
    this.#typedAt = event.timeStamp;
    // The same letter again and again goes from one to the next.
    const word = [...this.#word].every((one) => one === letter) ? letter : this.#word;
    const rows = this.#tree.rows();
    for (let step = word.length > 1 ? 0 : 1; step <= rows.length; step++) {
      const { operation } = rows[(from + step) % rows.length]!;
      if (operation && displayTitle(operation).toLocaleLowerCase().startsWith(word)) return this.#go((from + step) % rows.length);
    }
    return true;
  }
}
