/** The page of the render item: mounts one implementation of the cards and feeds it at a steady rate. */
import type { Operation } from '@sitrep/schema/wire';
import { make } from 'cards-under-test';
import { operationAt } from './cards/card.ts';

const cards = make();

window.mountCards = (count, look) =>
  new Promise((resolve) => {
    const start = performance.now();
    cards.mount(document.getElementById('root')!, count, look);
    // A task queued from inside a frame runs after that frame was handed over for painting.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(performance.now() - start));
    port1.start();
    requestAnimationFrame(() => port2.postMessage(0));
  });

window.endCards = (count) =>
  new Promise((resolve) => {
    cards.update(Array.from({ length: count }, (_none, i) => [i, { ...operationAt(i, 1), state: 'completed' }]));
    requestAnimationFrame(() => resolve());
  });

window.feedCards = ({ count, rate, ms }) =>
  new Promise((resolve) => {
    const updatesOf = new Uint32Array(count);
    let updates = 0;
    let next = 0;
    let frames = 0;
    let over = false;
    const onFrame = () => {
      frames++;
      if (!over) requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
    const start = performance.now();
    const timer = setInterval(() => {
      const now = performance.now() - start;
      if (now >= ms) {
        clearInterval(timer);
        over = true;
        resolve({ updates, frames, ms: now });
        return;
      }
      const due = Math.floor((now / 1000) * count * rate);
      const changes: [number, Operation][] = [];
      for (; updates < due; updates++) {
        changes.push([next, operationAt(next, ++updatesOf[next]!)]);
        next = (next + 1) % count;
      }
      cards.update(changes);
    }, 8);
  });
