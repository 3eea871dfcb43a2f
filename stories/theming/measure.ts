import { behind, contrast, seen, textContrast } from '../fixtures/contrast.ts';

/** How well one thing can be told from what lies behind it, in both schemes, and what is the least it should be. */
export interface Reading {
  readonly what: string;
  readonly light: number;
  readonly dark: number;
  readonly least: number;
}

type Drawn = HTMLElement & { updateComplete?: Promise<unknown> };

/** Waits until everything inside has been drawn. */
async function settled(root: ParentNode): Promise<void> {
  for (const element of root.querySelectorAll<Drawn>('*')) {
    await element.updateComplete;
    if (element.shadowRoot) await settled(element.shadowRoot);
  }
}

const partOf = (element: Element | null | undefined, name: string): Element | undefined =>
  element?.shadowRoot?.querySelector(`[part~="${name}"]`) ?? undefined;

function readingsOf(side: Element): Map<string, readonly [value: number, least: number]> {
  const found = new Map<string, readonly [number, number]>();
  const text = (what: string, node: Element | undefined): void => {
    if (node) found.set(what, [textContrast(node), 4.5]);
  };
  const card = side.querySelector('progress-card');
  text('title', partOf(card, 'title'));
  text('secondary text', partOf(card, 'meta'));
  text('link in a note', card?.shadowRoot?.querySelector('.note a') ?? undefined);
  text('code in a note', card?.shadowRoot?.querySelector('.note code') ?? undefined);
  for (const pill of side.querySelectorAll('status-pill')) text(`pill, ${pill.getAttribute('state')}`, partOf(pill, 'pill'));
  for (const row of card?.shadowRoot?.querySelectorAll('tool-progress') ?? []) {
    const [bar, fill] = [partOf(row, 'bar'), partOf(row, 'fill')];
    if (!bar || !fill || bar.classList.contains('unknown')) continue;
    const track = behind(bar);
    found.set(`bar, ${partOf(row, 'label')?.textContent ?? ''}`, [
      contrast(seen(...track, getComputedStyle(fill).backgroundColor), seen(...track)),
      3,
    ]);
  }
  return found;
}

/** Measures the elements of both sides, as they are drawn. */
export async function measure(root: ShadowRoot): Promise<readonly Reading[]> {
  // The note comes last: what reads it is loaded with it.
  for (let tries = 0; tries < 100 && !root.querySelector('progress-card')?.shadowRoot?.querySelector('.note a'); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await settled(root);
  const [light, dark] = ['light', 'dark'].map((scheme) => readingsOf(root.querySelector(`.${scheme}`)!));
  return [...light!].map(([what, [value, least]]) => ({ what, light: value, dark: dark!.get(what)?.[0] ?? value, least }));
}
