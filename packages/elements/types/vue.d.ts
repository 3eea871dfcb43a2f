/**
 * The tags of the elements in templates of Vue.
 *
 * In a `.d.ts` file of the application: `import '@sitrep/elements/types/vue';`
 */
import type { HTMLAttributes, ReservedProps } from 'vue';
import type { Tags } from '../editor/tags.js';

type VueTags = {
  [Tag in keyof Tags]: new () => Tags[Tag]['element'] & {
    /** @deprecated For the type check of templates only. */
    $props: Omit<HTMLAttributes, keyof Tags[Tag]['properties']> & ReservedProps & Tags[Tag]['properties'] & Tags[Tag]['handlers'];
  };
};

declare module 'vue' {
  interface GlobalComponents extends VueTags {}
}
