import dark from '@sitrep/elements/themes/dark.css?inline';
import dense from '@sitrep/elements/themes/dense.css?inline';
import highContrast from '@sitrep/elements/themes/high-contrast.css?inline';
import light from '@sitrep/elements/themes/light.css?inline';
import neutral from '@sitrep/elements/themes/neutral.css?inline';

/** The themes of the package, by the name of their file, as text. */
export const themes: Readonly<Record<string, string>> = { light, dark, 'high-contrast': highContrast, dense, neutral };

const sheets = new Map<string, CSSStyleSheet>();

function sheetOf(text: string): CSSStyleSheet {
  let sheet = sheets.get(text);
  if (!sheet) {
    sheets.set(text, (sheet = new CSSStyleSheet()));
    sheet.replaceSync(text);
  }
  return sheet;
}

let worn: readonly CSSStyleSheet[] = [];

/** The document wears these style sheets, in place of those it was given here before. */
export function wear(...texts: readonly string[]): void {
  const next = texts.map(sheetOf);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets.filter((sheet) => !worn.includes(sheet)), ...next];
  worn = next;
}
