/** Stands for one of `cards/*`: the bundler puts in the implementation that the page is made for. */
declare module 'cards-under-test' {
  export function make(): import('./cards/card.ts').Cards;
}
