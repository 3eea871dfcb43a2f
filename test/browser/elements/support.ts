import { expect } from '@open-wc/testing';
import type { Operation, Run } from '@sitrep/schema';

/** An element as a test looks at it. */
export type Element = HTMLElement & { updateComplete: Promise<boolean> } & Record<string, unknown>;

/** A new element, not yet in the document. */
export function create(tag: string): Element {
  return document.createElement(tag) as Element;
}

/** A running operation that changed just now, with whatever a test needs to differ. */
export function operation(over: Partial<Operation> = {}): Operation {
  const now = Date.now();
  return {
    id: 'a',
    attempt: 1,
    state: 'running',
    updatedAt: now,
    startedAt: now - 65_000,
    title: 'Build project',
    activeTitle: 'Building project',
    ...over,
  };
}

export function run(over: Partial<Run> = {}): Run {
  const now = Date.now();
  return { run: 'r', state: 'running', updatedAt: now, startedAt: now - 600_000, ...over };
}

/** Waits until an element, and what it drew inside, has been drawn. */
export async function drawn(element: Element): Promise<void> {
  await element.updateComplete;
  for (const inner of element.shadowRoot?.querySelectorAll<Element>('tool-progress, status-pill, progress-card') ?? []) await drawn(inner);
}

/** The one element inside that has this part. */
export function part(element: HTMLElement, name: string): HTMLElement | null {
  return element.shadowRoot!.querySelector<HTMLElement>(`[part~="${name}"]`);
}

/** The text a reader sees and hears, with white space made even. */
export function words(element: globalThis.Element | null | undefined): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** The words of an element and of everything drawn inside it, shadow roots included. */
export function allWords(element: HTMLElement): string {
  const inner = [...(element.shadowRoot?.querySelectorAll<HTMLElement>('tool-progress') ?? [])].map(allWords);
  return [words(element.shadowRoot!.querySelector('[part=base]')), ...inner].join(' ');
}

/** The bar of an element. */
export function barOf(element: HTMLElement): HTMLElement | null {
  return element.shadowRoot!.querySelector('[role=progressbar]');
}

/** The name of a bar, through what it refers to. */
export function nameOf(bar: HTMLElement): string {
  const ids = bar.getAttribute('aria-labelledby');
  return ids ? words((bar.getRootNode() as ShadowRoot).getElementById(ids)) : (bar.getAttribute('aria-label') ?? '');
}

/** How much of the bar its fill takes, once no motion is left. */
export function shareOf(element: HTMLElement): number {
  const fill = part(element, 'fill')!;
  expect(getComputedStyle(fill).animationName, 'nothing moves it').to.equal('none');
  const share = parseFloat(fill.style.inlineSize) / 100;
  const bar = fill.parentElement!.getBoundingClientRect().width;
  expect(fill.getBoundingClientRect().width, 'so wide is it seen').to.be.closeTo(share * bar, 0.5);
  return share;
}

/** Nothing inside is wider than the element. */
export function expectNoOverflow(element: HTMLElement): void {
  const edge = element.getBoundingClientRect();
  for (const inner of element.shadowRoot!.querySelectorAll('*')) {
    if (inner.closest('.sr, [hidden], .scroll, pre, svg') || inner.localName === 'progress') continue;
    if (getComputedStyle(inner).display === 'contents') continue;
    const box = inner.getBoundingClientRect();
    if (box.width === 0) continue;
    const clipped = inner.parentElement && getComputedStyle(inner.parentElement).overflowX === 'hidden';
    if (clipped) continue;
    expect(box.right, `${inner.localName}.${inner.className} ends inside`).to.be.at.most(edge.right + 1);
    expect(box.left, `${inner.localName}.${inner.className} begins inside`).to.be.at.least(edge.left - 1);
  }
  expect(element.scrollWidth).to.be.at.most(Math.ceil(edge.width) + 1);
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 750; tries++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Never happened: ${what}`);
}

/**
 * Takes down what the page says to whoever listens, until it is stopped: `polite: …` or `assertive: …`. With `notifies` the browser
 * is one that speaks by itself, without it is one that needs regions, whatever it is in truth.
 */
export function listen(notifies: boolean): { readonly said: readonly string[]; stop(): void } {
  const said: string[] = [];
  const body = document.body as HTMLElement & { ariaNotify?: unknown };
  const told = (text: string, { priority }: { readonly priority: string }): void => {
    said.push(`${priority === 'high' ? 'assertive' : 'polite'}: ${text}`);
  };
  Object.defineProperty(body, 'ariaNotify', { configurable: true, value: notifies ? told : undefined });
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const region = target as HTMLElement;
      if (region.dataset['sitrep'] !== 'voice' || !words(region)) continue;
      said.push(`${region.getAttribute('role') === 'alert' ? 'assertive' : 'polite'}: ${words(region)}`);
    }
  });
  observer.observe(body, { childList: true, subtree: true });
  return {
    said,
    stop() {
      observer.disconnect();
      delete body.ariaNotify;
    },
  };
}
