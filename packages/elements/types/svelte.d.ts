/**
 * The tags of the elements in markup of Svelte.
 *
 * In a `.d.ts` file of the application: `import '@sitrep/elements/types/svelte';`
 */
import type { HTMLAttributes } from 'svelte/elements';
import type { Tags } from '../editor/tags.js';

type SvelteTags = {
  [Tag in keyof Tags]: Omit<HTMLAttributes<Tags[Tag]['element']>, keyof Tags[Tag]['properties']> &
    Tags[Tag]['properties'] &
    Tags[Tag]['attributes'] &
    Tags[Tag]['listeners'];
};

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends SvelteTags {}
}
