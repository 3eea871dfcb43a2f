/** `<progress-list>`: only rows in sight are drawn. */
import '@sitrep/elements/define/progress-list';
import type { Operation } from '@sitrep/schema/wire';
import type { Lists } from './list.ts';

export function make(): Lists {
  let list: (HTMLElement & { operations: readonly Operation[] }) | undefined;
  return {
    mount(root, operations) {
      list = Object.assign(document.createElement('progress-list'), { operations });
      list.style.cssText = 'block-size: 800px; max-block-size: none';
      root.append(list);
    },
    update(operations) {
      list!.operations = operations;
    },
    scroller: () => list!.shadowRoot!.querySelector('.scroller')!,
  };
}
