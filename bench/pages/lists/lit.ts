/** A plain Lit list: every row drawn, kept by `repeat`, the same columns. */
import { html, LitElement, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Operation } from '@sitrep/schema/wire';
import { frame, type Lists } from './list.ts';

class PlainList extends LitElement {
  static override properties = { operations: { attribute: false } };
  declare operations: readonly Operation[];
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
  protected override render(): TemplateResult {
    return html`${repeat(
      this.operations,
      ({ id }) => id,
      (one) =>
        html`<div class="row">
          <b>${one.title}</b><span>${one.message}</span><i style="transform: scaleX(${(one.current ?? 0) / (one.total ?? 1)})"></i
          ><span>${one.current} / ${one.total}</span><span>${one.state}</span>
        </div>`,
    )}`;
  }
}
customElements.define('plain-list', PlainList);

export function make(): Lists {
  let list: PlainList | undefined;
  let box: HTMLElement | undefined;
  return {
    mount(root, operations) {
      box = frame(root);
      list = Object.assign(document.createElement('plain-list') as PlainList, { operations });
      box.append(list);
    },
    update(operations) {
      list!.operations = operations;
    },
    scroller: () => box!,
  };
}
