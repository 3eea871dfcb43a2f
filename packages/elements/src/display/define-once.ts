import { warnOnce } from './warn-once.ts';

/** Registers an element. The first one of a name stays; another copy of the same code is reported and does no harm. */
export function defineOnce(tag: string, element: CustomElementConstructor): void {
  const registry = globalThis.customElements;
  const there = registry?.get(tag);
  if (!there) registry?.define(tag, element);
  else if (there !== element) warnOnce(`<${tag}>: another copy of this code came first and stays in use.`);
}
