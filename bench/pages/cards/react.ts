/** React 19 at its best: a memoised component per card with its own subscription, so that a change renders one card. */
import { createElement as h, memo, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Operation } from '@sitrep/schema/wire';
import { addStyle, CARD, GRID, operationAt, percent, type Cards } from './card.ts';

const View = ({ value }: { value: Operation }) => {
  const part = percent(value);
  return h(
    'div',
    { className: 'card' },
    h(
      'div',
      { className: 'head' },
      h('span', { className: 'title' }, value.title),
      h('span', { className: 'pill', 'data-state': value.state }, value.state),
    ),
    h(
      'div',
      { className: 'bar', role: 'progressbar', 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': part },
      h('div', { className: 'fill', style: { transform: `scaleX(${part / 100})` } }),
    ),
    h('div', { className: 'foot' }, h('span', { className: 'message' }, value.message), h('span', { className: 'percent' }, `${part}%`)),
  );
};

export function make(): Cards {
  let values: Operation[] = [];
  const listeners: ((() => void) | undefined)[] = [];
  const subscribe = (i: number) => (changed: () => void) => {
    listeners[i] = changed;
    return () => (listeners[i] = undefined);
  };
  const Live = memo(({ i, listen }: { i: number; listen: ReturnType<typeof subscribe> }) =>
    h(View, { value: useSyncExternalStore(listen, () => values[i]!) }),
  );
  return {
    mount(root, count, look) {
      addStyle(GRID + CARD);
      values = Array.from({ length: count }, (_, i) => operationAt(i, 0, look));
      const cards = values.map((_, i) => h(Live, { key: i, i, listen: subscribe(i) }));
      flushSync(() => createRoot(root).render(cards));
    },
    update(changes) {
      for (const [i, value] of changes) {
        values[i] = value;
        listeners[i]?.();
      }
    },
  };
}
