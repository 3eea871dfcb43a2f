/** Time between two looks at what no stream brings, milliseconds. */
const LOOK = 5_000;
/** The same while nobody sees the page: not so long that what is looked at would count as quiet, milliseconds. */
const UNSEEN = 15_000;
/** The longest time between two, while a server has not answered for long, milliseconds. */
const RARE = 30_000;
/** Failed looks in a row that are followed by the next one as soon as any other. */
const PROMPT = 6;
/** How long a stream may take before there is none, milliseconds. */
const SOON = 100;
/** Within this time all look that were stirred, milliseconds. */
const SPREAD = 1_000;

/** Those who wait until they ask a server again, by its origin. */
const waiting = new Map<string, Set<() => void>>();
/** When those at an origin were stirred last. */
const stirredAt = new Map<string, number>();
let listening = false;

/**
 * Milliseconds until the next look, after `failures` failed ones in a row; never less than the server `asked` for. No two look in
 * step, so that many sessions are not asked for all at once.
 */
export function untilNextLook(failures: number, asked = 0): number {
  const patience = failures > PROMPT ? Math.min(LOOK * 2 ** (failures - PROMPT), RARE) : LOOK;
  return Math.max((document.hidden ? Math.max(UNSEEN, patience) : patience) * (0.75 + Math.random() / 2), asked);
}

/** What is known of the looks so far: how many in a row failed, and the milliseconds the server asked to wait. */
export interface Looked {
  readonly failures: number;
  readonly asked: number;
}

/**
 * Resolves when the next look at what is at `address` is due, or without a last one as soon as nothing else will come; and when `over` is
 * aborted. It is due in a moment once its server answers again, unless that had named a time. `given` gets a function that ends the wait.
 */
export function wait(last: Looked | undefined, over: AbortSignal, address: string, given?: (end: () => void) => void): Promise<void> {
  if (!listening) listen();
  const { origin } = new URL(address);
  const here = waiting.get(origin) ?? new Set();
  waiting.set(origin, here);
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      here.delete(stirred);
      over.removeEventListener('abort', end);
      resolve();
    };
    const stirred = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, Math.random() * SPREAD);
    };
    let timer = setTimeout(end, last ? untilNextLook(last.failures, last.asked) : SOON);
    if (last && !last.asked) here.add(stirred);
    over.addEventListener('abort', end, { once: true });
    given?.(end);
    if (over.aborted) end();
  });
}

/**
 * The server of `address` answers again that had not: nobody waits any longer until it is asked. That happens no more often than looks are
 * due in any case.
 */
export function stir(address: string): void {
  const { origin } = new URL(address);
  const now = performance.now();
  if (now - (stirredAt.get(origin) ?? -LOOK) < LOOK) return;
  stirredAt.set(origin, now);
  for (const stirred of waiting.get(origin) ?? []) stirred();
}

/** The same goes for all servers when the network is back, and when the page is seen again. */
function listen(): void {
  listening = true;
  const all = (): void => waiting.forEach((_, origin) => stir(origin));
  addEventListener('online', all);
  document.addEventListener('visibilitychange', () => !document.hidden && all());
}
