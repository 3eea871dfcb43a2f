/** A step of Carbon's chain of thought, open, with a paragraph in it. It has no bar. */
import '@carbon/ai-chat-components/es/components/chain-of-thought/index.js';
import { BODY, operationAt, percent, type Cards } from './card.ts';
import type { Operation } from '@sitrep/schema/wire';

interface Step extends HTMLElement {
  title: string;
  labelText: string;
  status: string;
  open: boolean;
}

export function make(): Cards {
  const cards: Step[] = [];
  const show = (card: Step, value: Operation): void => {
    card.title = value.title ?? '';
    card.labelText = `${value.message} ${percent(value)}%`;
    card.status = value.state === 'completed' ? 'success' : 'processing';
  };
  return {
    mount(root, count, look) {
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.createElement('cds-aichat-chain-of-thought-step') as Step;
        show(card, operationAt(i, 0, look));
        card.open = true;
        card.append(Object.assign(document.createElement('p'), { textContent: BODY }));
        cards.push(card);
        fragment.append(card);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) show(cards[card]!, value);
    },
  };
}
