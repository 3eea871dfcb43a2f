/** The limit: cloned markup, text nodes written directly, one write per card and frame. */
import type { Operation } from '@sitrep/schema/wire';
import { addStyle, CARD, GRID, operationAt, percent, type Cards } from './card.ts';

const MARKUP = `<div class="card"><div class="head"><span class="title"></span><span class="pill"></span></div>
<div class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="100"><div class="fill"></div></div>
<div class="foot"><span class="message"></span><span class="percent"></span></div></div>`;

function makeCard(template: HTMLTemplateElement) {
  const element = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
  const find = (selector: string) => element.querySelector<HTMLElement>(selector)!;
  const text = (selector: string) => find(selector).appendChild(document.createTextNode(''));
  const [bar, fill, pill] = [find('.bar'), find('.fill'), find('.pill')];
  const [title, state, message, amount] = [text('.title'), text('.pill'), text('.message'), text('.percent')];
  let shown: Partial<Operation> = {};
  let part = -1;
  const write = (value: Operation) => {
    const now = percent(value);
    if (now !== part) {
      part = now;
      amount.data = `${now}%`;
      fill.style.transform = `scaleX(${now / 100})`;
      bar.setAttribute('aria-valuenow', String(now));
    }
    if (shown.message !== value.message) message.data = value.message ?? '';
    if (shown.title !== value.title) title.data = value.title ?? '';
    if (shown.state !== value.state) {
      pill.dataset['state'] = value.state;
      state.data = value.state;
    }
    shown = value;
  };
  return { element, write };
}

export function make(): Cards {
  const cards: ReturnType<typeof makeCard>[] = [];
  const latest = new Map<number, Operation>();
  let scheduled = false;
  const flush = () => {
    scheduled = false;
    for (const [card, value] of latest) cards[card]!.write(value);
    latest.clear();
  };
  return {
    mount(root, count, look) {
      addStyle(GRID + CARD);
      const template = document.createElement('template');
      template.innerHTML = MARKUP;
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = makeCard(template);
        card.write(operationAt(i, 0, look));
        if (look === 'indeterminate') card.element.classList.add('indeterminate');
        cards.push(card);
        fragment.append(card.element);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) latest.set(card, value);
      if (!scheduled) requestAnimationFrame(flush);
      scheduled = true;
    },
  };
}
