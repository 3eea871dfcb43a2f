/** `<tool-progress>`, fed by property as a front-end without a source would. */
import '@sitrep/elements/define/tool-progress';
import type { ToolProgress } from '@sitrep/elements/tool-progress';
import { addStyle, GRID, operationAt, type Cards } from './card.ts';

export function make(): Cards {
  const cards: ToolProgress[] = [];
  return {
    mount(root, count, look) {
      addStyle(`${GRID}tool-progress{width:300px;margin:4px}`);
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.createElement('tool-progress') as ToolProgress;
        card.operation = operationAt(i, 0, look);
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
