/** The version of this package. The build writes the one that `package.json` names in its place. */
export const VERSION: string = 'source';
