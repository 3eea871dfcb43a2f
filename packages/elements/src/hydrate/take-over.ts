import { hydrate } from '@lit-labs/ssr-client';
import { adoptStyles, nothing, render } from 'lit';
import type { CSSResultOrNative, RenderOptions } from 'lit';
import { isTemplateResult } from 'lit/directive-helpers.js';
import { drawn } from '../display/rows.ts';

/**
 * Takes over what a server drew into the root, as if `value` had been rendered there: the nodes stay. Where the server drew something
 * else, that goes and the value is rendered.
 */
export function takeOver(root: ShadowRoot, value: unknown, options: RenderOptions, sheets: CSSResultOrNative[]): void {
  try {
    hydrate(value, root, options);
    const nodes = [...nodesIn(value)];
    // What comes ready-made and was not found in place is put there.
    if (nodes.some((node) => node.getRootNode() !== root)) {
      render(without(value), root, options);
      render(value, root, options);
    }
  } catch {
    root.replaceChildren();
    delete (root as { _$litPart$?: unknown })['_$litPart$'];
    render(value, root, options);
  }
  // What code fills without a look at what is there, it is about to fill again.
  for (const one of root.querySelectorAll('[data-drawn]')) one.remove();
  // From here on all elements share their styles.
  adoptStyles(root, sheets);
  for (const style of root.querySelectorAll('style')) if (style.parentNode === root) style.remove();
  for (const one of root.querySelectorAll('[data-s]')) one.removeAttribute('data-s');
}

/** Lets a list that a server drew be found while `draw` runs, each row with the operation it stands for. */
export function withLists<T>(root: ShadowRoot, draw: () => T): T {
  drawn.list = (part, operations) => {
    const list = root.querySelector(`ul[part='${part}']`);
    const rows = [...(list?.children ?? [])];
    if (!list || rows.length !== operations.length) return undefined;
    for (const [index, row] of rows.entries()) Object.assign(row.firstElementChild!, { operation: operations[index]!.operation });
    return list;
  };
  try {
    return draw();
  } finally {
    drawn.list = undefined;
  }
}

function* nodesIn(value: unknown): Iterable<Node> {
  if (value instanceof Node) yield value;
  else if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  else if (isTemplateResult(value)) yield* nodesIn(value.values);
}

function without(value: unknown): unknown {
  if (value instanceof Node) return nothing;
  if (Array.isArray(value)) return value.map(without);
  return isTemplateResult(value) ? { ...value, values: value.values.map(without) } : value;
}
