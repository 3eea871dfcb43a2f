import type { CSSResult } from 'lit';

/** Gives a root a sheet that came after it was drawn. In a document other than the one of the sheet it cannot be used. */
export function adoptLater(root: ShadowRoot, { styleSheet }: CSSResult): void {
  if (styleSheet && root.ownerDocument === document && !root.adoptedStyleSheets.includes(styleSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
}
