/** Something that wants to know that time has passed. */
interface Ticker {
  requestUpdate(): void;
}

const paces = new Map<Ticker, number>();
let timer: ReturnType<typeof setInterval> | undefined;
let listening = false;
let seconds = 0;

/** One timer serves every element of the page; none runs while the page is hidden or nothing on it depends on time. */
function arrange(): void {
  if (paces.size > 0 && !document.hidden) timer ??= setInterval(tick, 1000);
  else {
    clearInterval(timer);
    timer = undefined;
  }
}

function tick(): void {
  seconds++;
  for (const [who, pace] of paces) if (seconds % pace === 0) who.requestUpdate();
}

/** Asks `who` to update every `pace` seconds from now on; with 0 no longer. What was hidden catches up when it is seen again. */
export function every(pace: number, who: Ticker): void {
  if (pace) paces.set(who, pace);
  else if (!paces.delete(who)) return;
  if (!listening) {
    listening = true;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) for (const one of paces.keys()) one.requestUpdate();
      arrange();
    });
  }
  arrange();
}

/** Number of elements that need the time and whether the timer runs: what a leak test looks at. */
export function clockLoad(): { readonly elements: number; readonly running: boolean } {
  return { elements: paces.size, running: timer !== undefined };
}
