import { html, render } from 'lit';
import type { TemplateResult } from 'lit';
import { write } from '../display/make.ts';
import { hasEnded, look } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { tr } from '../display/tr.ts';

/**
 * What every operation has. Nothing in it is bound: hundreds of these stand on a page, and what a binding remembers would be most of what
 * each of them takes. All that changes is written to its place.
 */
export const frame = (): TemplateResult =>
  html`<div part="base" class="base">
    <div part="head" class="head">
      <button part="toggle" class="toggle" type="button"><bdi part="title" class="title" id="title"></bdi></button>
      <span part="pill" class="pill"
        ><svg viewBox="0 0 16 16" aria-hidden="true"><path></path></svg><span part="label" class="label"></span
      ></span>
      <slot name="actions"></slot>
    </div>
    <div part="bar" class="bar" aria-labelledby="title"><div part="fill" class="fill"></div></div>
    <div part="meta" class="meta"></div>
  </div>`;

let first: Element | undefined;

/** The same for a root that nothing was drawn in: a copy of one that was rendered, without what a renderer would remember of it. */
export function copyOfFrame(page: Document): Element {
  if (!first) {
    const place = document.createElement('div');
    render(frame(), place);
    first = place.firstElementChild!;
  }
  return page.importNode(first, true);
}

/** Writes the state to its places: `bare` is without a bar to read, `known` with an amount of a whole. */
export function drawState(
  root: ParentNode,
  { operation, language }: ShownOperation,
  state: ShownState,
  open: boolean,
  bare: boolean,
  known: boolean,
): void {
  const find = (selector: string): HTMLElement => root.querySelector(selector)!;
  const [path, tone, word] = look(state);
  const cancelling = operation.cancelRequested && state === operation.state && !hasEnded(operation);
  find('.base').className = open ? 'base open' : 'base';
  find('.toggle').ariaExpanded = String(open);
  find('.pill').className = `pill ${tone}`;
  find('path').setAttribute('d', path);
  write(find('.label'), tr(cancelling ? 'cancelling' : word, language));
  const bar = find('.bar');
  bar.className = `bar ${tone}${known ? '' : ` ${state} unknown`}`;
  bar.role = bare ? null : 'progressbar';
}
