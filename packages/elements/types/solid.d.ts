/**
 * The tags of the elements in JSX of Solid.
 *
 * In a `.d.ts` file of the application: `import '@sitrep/elements/types/solid';`
 */
import type { JSX } from 'solid-js';
import type { Tags } from '../editor/tags.js';

/** `on:progress-toggle` for `onprogress-toggle`. */
type ByEvent<Listeners> = { [Name in keyof Listeners as Name extends `on${infer Event}` ? `on:${Event}` : never]: Listeners[Name] };
type ByProperty<Properties> = { [Name in keyof Properties as Name extends string ? `prop:${Name}` : never]: Properties[Name] };
type ByAttribute<Properties> = {
  [Name in keyof Properties as Name extends string ? `attr:${Name}` : never]: Extract<
    Properties[Name],
    string | number | boolean | undefined
  >;
};

type SolidTags = {
  [Tag in keyof Tags]: Omit<JSX.HTMLAttributes<Tags[Tag]['element']>, keyof Tags[Tag]['properties']> &
    Tags[Tag]['properties'] &
    Tags[Tag]['attributes'] &
    ByProperty<Tags[Tag]['properties']> &
    ByAttribute<Tags[Tag]['properties'] & Tags[Tag]['attributes']> &
    ByEvent<Tags[Tag]['listeners']>;
};

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements extends SolidTags {}
  }
}
