/** The few names of React that the bench uses; its own types are not installed. */
declare module 'react' {
  export interface Element {
    readonly type: unknown;
  }
  export type Component<P> = (props: P) => Element;
  export function createElement(
    type: string | Component<never>,
    props: Readonly<Record<string, unknown>> | null,
    ...children: readonly unknown[]
  ): Element;
  export function memo<P>(component: Component<P>): Component<P>;
  export function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, get: () => T): T;
}
declare module 'react-dom' {
  export function flushSync(work: () => void): void;
}
declare module 'react-dom/client' {
  export function createRoot(element: HTMLElement): { render(what: unknown): void };
}
