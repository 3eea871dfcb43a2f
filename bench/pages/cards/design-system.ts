/** Cards made of a design system's parts: its bar and badge in the summary of its details, nothing of its own. */
import { addStyle, GRID, operationAt, percent, type Cards } from './card.ts';
import type { Operation } from '@sitrep/schema/wire';

const markup = (prefix: string) => `<${prefix}-details><div slot="summary" class="summary">
<span class="title"></span><${prefix}-badge pill></${prefix}-badge><${prefix}-progress-bar></${prefix}-progress-bar>
<span class="message"></span> <span class="percent"></span></div></${prefix}-details>`;

/** `prefix` is the one of the system's tags. The parts must be registered already. */
export function designSystem(prefix: 'sl' | 'wa'): Cards {
  const cards: ((value: Operation) => void)[] = [];
  const makeCard = (template: HTMLTemplateElement) => {
    const element = document.importNode(template.content, true).firstElementChild as HTMLElement;
    const find = (selector: string) => element.querySelector<HTMLElement>(selector)!;
    const bar = find(`${prefix}-progress-bar`) as HTMLElement & { value: number; indeterminate: boolean };
    const badge = find(`${prefix}-badge`);
    const [title, message, amount] = [find('.title'), find('.message'), find('.percent')];
    let shown: Partial<Operation> = {};
    const write = (value: Operation) => {
      bar.indeterminate = value.total === undefined;
      bar.value = percent(value);
      amount.textContent = `${percent(value)}%`;
      if (shown.message !== value.message) message.textContent = value.message ?? '';
      if (shown.title !== value.title) title.textContent = value.title ?? '';
      if (shown.state !== value.state) badge.textContent = value.state;
      shown = value;
    };
    return { element, write };
  };
  return {
    mount(root, count, look) {
      addStyle(`${GRID}${prefix}-details{width:300px;margin:4px}.summary{flex:1}`);
      const template = document.createElement('template');
      template.innerHTML = markup(prefix);
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const { element, write } = makeCard(template);
        write(operationAt(i, 0, look));
        cards.push(write);
        fragment.append(element);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) cards[card]!(value);
    },
  };
}
