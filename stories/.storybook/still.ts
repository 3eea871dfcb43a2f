import type { CSSResult } from 'lit';

const STILL = 'not all';
const MOVES = '(prefers-reduced-motion: no-preference)';

/** Lets the elements look as if the reader had asked for less motion, or as the system says: by the media queries of their own sheets. */
export function still(on: boolean): void {
  const tags = new Set([...document.querySelectorAll(':defined')].map(({ localName }) => localName).filter((name) => name.includes('-')));
  // What is drawn only inside another one.
  tags.add('tool-progress').add('status-pill');
  for (const tag of tags) {
    const { elementStyles = [] } = (customElements.get(tag) ?? {}) as { elementStyles?: readonly CSSResult[] };
    for (const { styleSheet } of elementStyles) {
      for (const rule of styleSheet?.cssRules ?? []) {
        if (rule instanceof CSSMediaRule && [STILL, MOVES].includes(rule.media.mediaText)) rule.media.mediaText = on ? STILL : MOVES;
      }
    }
  }
}
