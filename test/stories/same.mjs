// What is the same in every story and on every machine: the moment, and the typeface.
import { createRequire } from 'node:module';

/** The moment at which every story begins. */
export const moment = new Date('2026-01-15T12:00:00Z');

/** The file of the typeface, and where the stories are served with it. */
export const typefaceFile = createRequire(import.meta.url).resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2');
export const typefacePath = '/typeface.woff2';

/** Names that pages of the stories ask for: none of them is to be what a machine happens to have. */
const names = ['Story', 'Inter', 'Roboto', 'IBM Plex Sans', 'IBM Plex Mono', 'Segoe UI', 'Georgia'];
/** Properties by which pages of the stories, and their design systems, say which font they have. */
const fonts = [
  '--page-font',
  '--sitrep-font-family',
  '--sitrep-font-mono',
  '--font-sans',
  '--font-mono',
  '--fontStack-monospace',
  '--vscode-editor-font-family',
];

export const typefaces = `${names
  .map((name) => `@font-face { font-family: '${name}'; src: url(${typefacePath}) format('woff2'); font-weight: 100 900; }`)
  .join('\n')}
html, body { font-family: 'Story', sans-serif; }
html {
  ${fonts.map((name) => `${name}: 'Story', sans-serif;`).join(' ')}
  --sitrep-font: 14px/1.5 'Story', sans-serif;
  --text-body-shorthand-medium: 400 0.875rem/1.43 'Story', sans-serif;
}`;
