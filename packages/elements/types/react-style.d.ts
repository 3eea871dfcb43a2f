/** The custom properties that the elements read, in `style`. */
export type SitrepToken = `--sitrep-${string}`;

declare module 'react' {
  interface CSSProperties {
    [token: SitrepToken]: string | number | undefined;
  }
}
