/**
 * The tags of the elements in JSX of Preact.
 *
 * In a `.d.ts` file of the application: `import '@sitrep/elements/types/preact';`
 */
import type { HTMLAttributes } from 'preact';
import type { Tags } from '../editor/tags.js';

type PreactTags = {
  [Tag in keyof Tags]: Omit<HTMLAttributes<Tags[Tag]['element']>, keyof Tags[Tag]['properties']> &
    Tags[Tag]['properties'] &
    Tags[Tag]['attributes'] &
    Tags[Tag]['listeners'];
};

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements extends PreactTags {}
  }
}
