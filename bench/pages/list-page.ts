/** The page of the list item: puts up one implementation of a list, changes rows at a steady rate, and scrolls it. */
import type { Operation } from '@sitrep/schema/wire';
import { make } from 'lists-under-test';

const lists = make();
let operations: readonly Operation[] = [];

/** In a tree by runs of a hundred, every tenth under the one before, the last thirty still going on. */
function operationsOf(count: number): readonly Operation[] {
  const now = Date.now();
  return Array.from({ length: count }, (_none, index): Operation => {
    const live = index >= count - 30;
    return {
      id: `o${index}`,
      run: `r${Math.floor(index / 100)}`,
      attempt: 1,
      state: live ? 'running' : index % 9 === 0 ? 'failed' : 'completed',
      updatedAt: now,
      startedAt: now - 60_000,
      ...(live ? {} : { endedAt: now - 1000 }),
      title: `Operation ${index}`,
      message: `src/part-${index}.ts`,
      current: index % 100,
      total: 100,
      unit: 'files',
      ...(index % 10 === 5 && { parent: `o${index - 1}` }),
    };
  });
}

const painted = (): Promise<void> =>
  new Promise((resolve) => {
    // A task queued from inside a frame runs after that frame was handed over for painting.
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve());
    port1.start();
    requestAnimationFrame(() => port2.postMessage(0));
  });

window.prepareList = (count) => void (operations = operationsOf(count));

window.mountList = async () => {
  const start = performance.now();
  lists.mount(document.getElementById('root')!, operations);
  await painted();
  return performance.now() - start;
};

window.feedList = ({ rate, ms }) =>
  new Promise((resolve) => {
    let updates = 0;
    let next = 0;
    const start = performance.now();
    const timer = setInterval(() => {
      const now = performance.now() - start;
      if (now >= ms) {
        clearInterval(timer);
        resolve({ updates, ms: now });
        return;
      }
      const due = Math.floor((now / 1000) * rate);
      if (due <= updates) return;
      const all = [...operations];
      for (; updates < due; updates++) {
        // In turn among all of them, wherever they are.
        next = (next + 997) % all.length;
        const one = all[next]!;
        all[next] = { ...one, current: ((one.current ?? 0) + 1) % 100 };
      }
      operations = all;
      lists.update(operations);
    }, 10);
  });

window.scrollList = (ms) =>
  new Promise((resolve) => {
    const scroller = lists.scroller();
    const start = performance.now();
    let frames = 0;
    const step = (): void => {
      const now = performance.now() - start;
      if (now >= ms) return resolve({ frames, ms: now });
      frames++;
      scroller.scrollTop += 120;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });
