import type { LocksLike, SharedChannel } from '@sitrep/client';

/** Pages of one origin, in small: their locks and channels, and what can happen to a page. */
export interface Origin {
  /** What one page sees of it. */
  page(): Page;
  /** Messages that went over the channels so far. */
  readonly messages: number;
}

export interface Page {
  readonly locks: LocksLike;
  readonly channel: (name: string) => SharedChannel;
  /** The process dies: its locks are free, and it neither speaks nor hears any more. */
  kill(): void;
  /** It hangs: it holds what it has and says nothing, and what it is sent waits until it wakes. */
  hang(): void;
  wake(): void;
}

interface Request {
  readonly page: object;
  readonly held: () => Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function origin(): Origin {
  const queues = new Map<string, { holder: Request | undefined; waiting: Request[] }>();
  const channels = new Set<{ name: string; page: PageState; deliver(data: unknown): void }>();
  let messages = 0;

  const grant = (name: string): void => {
    const queue = queues.get(name)!;
    const next = queue.waiting.shift();
    queue.holder = next;
    if (!next) return;
    const release = (): void => {
      if (queue.holder !== next) return;
      next.resolve();
      grant(name);
    };
    queueMicrotask(() => {
      if (queue.holder === next) next.held().then(release, release);
    });
  };

  interface PageState {
    dead: boolean;
    asleep: (() => void)[] | undefined;
  }

  return {
    get messages() {
      return messages;
    },
    page() {
      const state: PageState = { dead: false, asleep: undefined };
      return {
        locks: {
          request: (name, { signal, steal }, held) =>
            new Promise((resolve, reject) => {
              const queue = queues.get(name) ?? { holder: undefined, waiting: [] };
              queues.set(name, queue);
              const request: Request = { page: state, held, resolve: () => resolve(undefined), reject };
              const aborted = (): void => {
                const at = queue.waiting.indexOf(request);
                if (at < 0) return;
                queue.waiting.splice(at, 1);
                reject(new DOMException('given up', 'AbortError'));
              };
              if (signal?.aborted) return reject(new DOMException('given up', 'AbortError'));
              signal?.addEventListener('abort', aborted);
              if (steal) {
                queue.waiting.unshift(request);
                queue.holder?.reject(new DOMException('stolen', 'AbortError'));
                grant(name);
              } else {
                queue.waiting.push(request);
                if (queue.holder === undefined) grant(name);
              }
            }),
        },
        channel(name) {
          const target = new EventTarget();
          const deliver = (data: unknown): void => {
            const event = (): void => void target.dispatchEvent(new MessageEvent('message', { data }));
            if (state.dead) return;
            if (state.asleep) state.asleep.push(event);
            else event();
          };
          const entry = { name, page: state, deliver };
          channels.add(entry);
          return {
            postMessage(message) {
              if (state.dead || state.asleep || !channels.has(entry)) return;
              messages += 1;
              const data = structuredClone(message);
              for (const other of channels) if (other !== entry && other.name === name) queueMicrotask(() => other.deliver(data));
            },
            addEventListener: (type, listener) => target.addEventListener(type, listener as unknown as EventListener),
            removeEventListener: (type, listener) => target.removeEventListener(type, listener as unknown as EventListener),
            close: () => void channels.delete(entry),
          };
        },
        kill() {
          state.dead = true;
          for (const [name, queue] of queues) {
            queue.waiting = queue.waiting.filter(({ page }) => page !== state);
            if (queue.holder?.page === state) grant(name);
          }
        },
        hang() {
          state.asleep = [];
        },
        wake() {
          const held = state.asleep ?? [];
          state.asleep = undefined;
          for (const event of held) event();
        },
      };
    },
  };
}
