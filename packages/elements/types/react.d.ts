/**
 * The tags of the elements in JSX of React 19. For React 18, which hands over text only, take the components of
 * `@sitrep/elements/react`.
 *
 * In a `.d.ts` file of the application: `import '@sitrep/elements/types/react';`
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Tags } from '../editor/tags.js';
import './react-style.js';

type ReactTags = {
  [Tag in keyof Tags]: Omit<
    DetailedHTMLProps<HTMLAttributes<Tags[Tag]['element']>, Tags[Tag]['element']>,
    keyof Tags[Tag]['properties']
  > & { class?: string | undefined } & Tags[Tag]['properties'] &
    Tags[Tag]['attributes'] &
    Tags[Tag]['listeners'];
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends ReactTags {}
  }
}
