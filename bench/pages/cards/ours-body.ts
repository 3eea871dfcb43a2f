/** `<tool-progress>`, open, with a paragraph of the page's own in it. */
import '@sitrep/elements/define/tool-progress';
import type { ToolProgress } from '@sitrep/elements/tool-progress';
import { BODY, operationAt, type Cards } from './card.ts';

export function make(): Cards {
  const cards: ToolProgress[] = [];
  return {
    mount(root, count, look) {
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.createElement('tool-progress') as ToolProgress;
        card.operation = operationAt(i, 0, look);
        card.open = true;
        card.append(Object.assign(document.createElement('p'), { textContent: BODY }));
        cards.push(card);
        fragment.append(card);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) cards[card]!.operation = value;
    },
  };
}
