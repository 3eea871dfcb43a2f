import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** How often an element needs the time, in seconds; 0 when time changes nothing. */
export type Pace = 0 | 1 | 30;

const clocks = new Set<ClockController>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer serves every element of the page; none runs while the page is hidden or nothing on it depends on time. */
function arrange(): void {
  const needed = clocks.size > 0 && !document.hidden;
  if (needed === (timer !== undefined)) return;
  clearInterval(timer);
  timer = needed ? setInterval(tick, 1000) : undefined;
}

function tick(): void {
  for (const clock of clocks) clock.tick();
}

function onVisibility(): void {
  arrange();
  if (!document.hidden) tick();
}

/** Asks the host to render when time has passed. The host says with each render how often it needs that. */
export class ClockController implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #pace: Pace = 0;
  #rendered = 0;
  #connected = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** How often the host needs the time from now on. */
  set pace(pace: Pace) {
    if (pace === this.#pace) return;
    this.#pace = pace;
    this.#watch();
  }

  /** Called once a second. */
  tick(): void {
    if (Date.now() - this.#rendered >= this.#pace * 1000 - 500) this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#connected = true;
    this.#watch();
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#watch();
  }

  hostUpdated(): void {
    this.#rendered = Date.now();
  }

  #watch(): void {
    if (this.#connected && this.#pace) {
      if (!clocks.size) document.addEventListener('visibilitychange', onVisibility);
      clocks.add(this);
    } else if (clocks.delete(this) && !clocks.size) document.removeEventListener('visibilitychange', onVisibility);
    arrange();
  }
}

/** Number of elements that need the time and whether the timer runs: what a leak test looks at. */
export function clockLoad(): { readonly elements: number; readonly running: boolean } {
  return { elements: clocks.size, running: timer !== undefined };
}
