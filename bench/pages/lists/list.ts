/** What every implementation of a list offers to the page that drives it. */
import type { Operation } from '@sitrep/schema/wire';

export interface Lists {
  mount(root: HTMLElement, operations: readonly Operation[]): void;
  /** Everything as it stands now; records that did not change are the same objects. */
  update(operations: readonly Operation[]): void;
  /** What scrolls. */
  scroller(): Element;
}

/** A box that scrolls, for lists that have none of their own. */
export function frame(root: HTMLElement): HTMLElement {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .frame { block-size: 800px; overflow: auto; font: 14px system-ui }
    .row { display: grid; grid-template-columns: 1fr 1fr 8rem 6rem 6rem; align-items: center; min-block-size: 40px; border-block-end: 1px solid #ddd }
    .row i { block-size: 5px; background: #2456d3; transform-origin: left }
  `);
  document.adoptedStyleSheets = [sheet];
  const box = document.createElement('div');
  box.className = 'frame';
  root.append(box);
  return box;
}
