import { Stage } from './stage.ts';

/** The page's own title, what is put before it, and what the platform made of both. */
let own = '';
let prefix = '';
let shown: string | undefined;

/**
 * Puts a word before the title of the page: "(42%) Inbox". The page's own title stays its own: what it sets later is kept, also
 * where it made that from what it found, and what was added is taken away again at the end.
 */
export const titleStage = new Stage<string>((text) => {
  // The page has changed its title since.
  if (document.title !== shown) own = prefix === '' ? document.title : document.title.replace(prefix, () => '');
  prefix = text === undefined ? '' : `(${text}) `;
  shown = prefix + own;
  if (document.title !== shown) document.title = shown;
  // The platform makes white space even; what it says is what is compared with.
  shown = document.title;
});
