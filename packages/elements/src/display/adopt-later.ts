import type { CSSResult } from 'lit';

/** A root of a server, which writes down what it is given. */
interface Written {
  readonly later?: Set<CSSResult>;
}

/** Gives a root a sheet that came after it was drawn. In a document other than the one of the sheet it cannot be used. */
export function adoptLater(root: ShadowRoot & Written, sheet: CSSResult): void {
  const { styleSheet } = sheet;
  root.later?.add(sheet);
  if (styleSheet && root.ownerDocument === document && !root.adoptedStyleSheets.includes(styleSheet))
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheet];
}
