/** Stands for one of `lists/*`: the bundler puts in the implementation that the page is made for. */
declare module 'lists-under-test' {
  export function make(): import('./lists/list.ts').Lists;
}
