/** As many bars glide at a time: each is a layer of its own to the compositor while it does. */
const MOST = 8;
/** Another name begins the motion anew. */
const NAMES = ['fill glide', 'fill glide again'] as const;

/** What jumped in this turn, and from which part of where it is now. */
const jumped = new Map<HTMLElement, number>();

/** Lets a bar glide to where it is, unless many have jumped together: that is nothing to be followed with the eyes. */
export function glide(fill: HTMLElement, from: number): void {
  if (jumped.size === 0) queueMicrotask(begin);
  jumped.set(fill, from);
}

function begin(): void {
  if (jumped.size <= MOST) {
    for (const [fill, from] of jumped) {
      fill.style.setProperty('--_from', String(from));
      fill.className = NAMES[fill.className === NAMES[0] ? 1 : 0];
    }
  }
  jumped.clear();
}
