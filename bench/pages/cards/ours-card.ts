/** `<progress-card>`, closed, with the operation going on in its session, fed by property. */
import '@sitrep/elements/define/progress-card';
import type { ProgressCard } from '@sitrep/elements/progress-card';
import { addStyle, GRID, operationAt, type Cards } from './card.ts';

export function make(): Cards {
  const cards: ProgressCard[] = [];
  return {
    mount(root, count, look) {
      addStyle(`${GRID}progress-card{width:300px;margin:4px}`);
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.createElement('progress-card') as ProgressCard;
        card.heading = `Session ${i}`;
        card.operations = [operationAt(i, 0, look)];
        cards.push(card);
        fragment.append(card);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) cards[card]!.operations = [value];
    },
  };
}
