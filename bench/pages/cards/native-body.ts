/** The limit: the platform's own details, bar and texts. */
import { BODY, operationAt, percent, type Cards } from './card.ts';
import type { Operation } from '@sitrep/schema/wire';

export function make(): Cards {
  const cards: ((value: Operation) => void)[] = [];
  return {
    mount(root, count, look) {
      const template = document.createElement('template');
      template.innerHTML = '<details open><summary><span></span> <b></b></summary><progress max=100></progress><p></p></details>';
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.importNode(template.content, true).firstElementChild!;
        const [title, state] = [card.querySelector('span')!, card.querySelector('b')!];
        const bar = card.querySelector('progress')!;
        card.querySelector('p')!.textContent = BODY;
        const write = (value: Operation): void => {
          title.textContent = `${value.title} ${value.message}`;
          state.textContent = `${value.state} ${percent(value)}%`;
          bar.value = percent(value);
        };
        write(operationAt(i, 0, look));
        cards.push(write);
        fragment.append(card);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) cards[card]!(value);
    },
  };
}
