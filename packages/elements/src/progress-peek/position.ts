let count = 0;

/**
 * Places a card beside what it belongs to, until the returned function is called: by CSS where the engine can, so that it follows
 * scrolling by itself, else by measuring.
 */
export function placeBeside(popover: HTMLElement, reference: HTMLElement): () => void {
  // In a text it goes below the line; a row of a list has its neighbours there.
  const inline = getComputedStyle(reference).display.startsWith('inline');
  popover.classList.toggle('below', inline);
  const limit = (): void => limitTo(room(reference, popover.offsetWidth, inline), popover);
  limit();
  window.addEventListener('resize', limit);
  let leave = CSS.supports('position-area', 'block-end') ? anchor(popover, reference) : undefined;
  // A page may keep the names of its anchors to a part of it; those of a shadow root are always kept.
  if (leave && !isBeside(popover, reference)) leave = void leave();
  leave ??= measure(popover, reference, inline);
  return () => {
    window.removeEventListener('resize', limit);
    leave();
  };
}

/** True where an edge of the one lies on an edge of the other, as every place that is asked for has it. */
function isBeside(popover: HTMLElement, reference: HTMLElement): boolean {
  const [card, at] = [popover.getBoundingClientRect(), reference.getBoundingClientRect()];
  return [card.top - at.bottom, card.bottom - at.top, card.left - at.right, card.right - at.left].some((gap) => Math.abs(gap) < 1);
}

/** Less room than this is no room: then the card lies over what it belongs to. */
const LEAST = 96;
/** What the frame takes of it. */
const FRAME = 20;

/** Height there is above or below, where the card cannot lie beside. */
function room(reference: HTMLElement, width: number, below: boolean): number | undefined {
  const at = reference.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  if (!below && Math.max(at.left, clientWidth - at.right) >= width) return undefined;
  return Math.max(at.top, clientHeight - at.bottom) - FRAME;
}

function limitTo(height: number | undefined, popover: HTMLElement): void {
  if (height !== undefined && height >= LEAST) popover.style.setProperty('--_room', `${height}px`);
  else popover.style.removeProperty('--_room');
}

function anchor(popover: HTMLElement, reference: HTMLElement): () => void {
  const name = `--sitrep-peek-${++count}`;
  const before = reference.style.getPropertyValue('anchor-name');
  const others = getComputedStyle(reference).getPropertyValue('anchor-name');
  reference.style.setProperty('anchor-name', others && others !== 'none' ? `${others}, ${name}` : name);
  popover.style.setProperty('position-anchor', name);
  popover.classList.add('anchored');
  return () => {
    if (before) reference.style.setProperty('anchor-name', before);
    else reference.style.removeProperty('anchor-name');
    if (!reference.getAttribute('style')) reference.removeAttribute('style');
  };
}

/** Space left between the card and the edge of the window, CSS pixels. */
const EDGE = 4;

function measure(popover: HTMLElement, reference: HTMLElement, below: boolean): () => void {
  popover.classList.remove('anchored');
  const place = (): void => {
    const at = reference.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = popover;
    const { clientWidth, clientHeight } = document.documentElement;
    const leftward = getComputedStyle(popover).direction === 'rtl';
    const startAligned = leftward ? at.right - width : at.left;
    const spots: [left: number, top: number][] = [];
    const after = leftward ? at.left - width : at.right;
    const before = leftward ? at.right : at.left - width;
    if (!below) spots.push([after, at.top], [before, at.top]);
    spots.push([startAligned, at.bottom], [startAligned, at.top - height]);
    const hold = (value: number, size: number, space: number): number => Math.max(EDGE, Math.min(value, space - size - EDGE));
    const isFree = (left: number, top: number): boolean =>
      (top >= at.bottom || top + height <= at.top || left >= at.right || left + width <= at.left) &&
      top >= 0 &&
      top + height <= clientHeight;
    const held = spots.map(([left, top]): [number, number] =>
      // Beside it, it may slide along; above and below, too.
      top === at.top ? [left, hold(top, height, clientHeight)] : [hold(left, width, clientWidth), top],
    );
    const [left, top] = held.find(([x, y]) => isFree(x, y) && x >= 0 && x + width <= clientWidth) ?? held.at(-2)!;
    popover.style.left = `${hold(left, width, clientWidth)}px`;
    popover.style.top = `${hold(top, height, clientHeight)}px`;
  };
  place();
  const sizes = new ResizeObserver(() => requestAnimationFrame(place));
  sizes.observe(popover);
  const quietly = { capture: true, passive: true };
  // What scrolls in a shadow root is told only there.
  const roots: Node[] = [];
  for (let at = reference.getRootNode(); ; at = at.host.getRootNode()) {
    roots.push(at);
    if (!(at instanceof ShadowRoot)) break;
  }
  for (const root of roots) root.addEventListener('scroll', place, quietly);
  window.addEventListener('resize', place);
  return () => {
    sizes.disconnect();
    for (const root of roots) root.removeEventListener('scroll', place, quietly);
    window.removeEventListener('resize', place);
  };
}
