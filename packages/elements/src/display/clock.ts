import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Called with the time by the reader's clock, epoch milliseconds. */
type Tick = (now: number) => void;

const SECOND = 1000;
/** How often "2 min ago" is looked at again. */
const SLOW = 30_000;

const fast = new Set<Tick>();
const slow = new Set<Tick>();
let timer: ReturnType<typeof setTimeout> | undefined;
let lastSlow = 0;

function tick(): void {
  timer = undefined;
  const now = Date.now();
  for (const listener of [...fast]) listener(now);
  if (now - lastSlow >= SLOW || now < lastSlow) {
    lastSlow = now;
    for (const listener of [...slow]) listener(now);
  }
  arrange();
}

/** One timer serves every element of the page, at the pace of the most impatient; none runs while the page is hidden. */
function arrange(): void {
  if (timer !== undefined) clearTimeout(timer);
  timer = undefined;
  if (document.hidden || fast.size + slow.size === 0) return;
  const now = Date.now();
  timer = setTimeout(tick, fast.size > 0 ? SECOND - (now % SECOND) : Math.max(0, Math.min(SLOW, lastSlow + SLOW - now)));
}

function onVisibility(): void {
  if (!document.hidden && fast.size + slow.size > 0) {
    lastSlow = 0;
    tick();
  } else arrange();
}

function watch(set: Set<Tick>, listener: Tick): void {
  if (fast.size + slow.size === 0) {
    lastSlow = Date.now();
    document.addEventListener('visibilitychange', onVisibility);
  }
  set.add(listener);
  if (timer === undefined || (set === fast && fast.size === 1)) arrange();
}

function unwatch(listener: Tick): void {
  const had = fast.delete(listener) || slow.delete(listener);
  if (had && fast.size + slow.size === 0) {
    document.removeEventListener('visibilitychange', onVisibility);
    arrange();
  }
}

/** Number of listeners and whether the timer runs: what a leak test looks at. */
export function clockLoad(): { readonly listeners: number; readonly running: boolean } {
  return { listeners: fast.size + slow.size, running: timer !== undefined };
}

/** How often an element needs the time: each second, each half minute, or not at all. */
export type Pace = 'second' | 'half-minute' | 'none';

/** Asks the host to render when time has passed. The host says after each render how often it needs that. */
export class ClockController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #pace: Pace = 'none';
  #connected = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Sets how often the host needs the time from now on. */
  set pace(pace: Pace) {
    if (pace === this.#pace) return;
    this.#pace = pace;
    if (this.#connected) this.#watch();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#watch();
  }

  hostDisconnected(): void {
    this.#connected = false;
    unwatch(this.#tick);
  }

  readonly #tick = (): void => this.#host.requestUpdate();

  #watch(): void {
    unwatch(this.#tick);
    if (this.#pace !== 'none') watch(this.#pace === 'second' ? fast : slow, this.#tick);
  }
}
