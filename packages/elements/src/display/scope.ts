import type { LitElement } from 'lit';

/**
 * A shadow root of the page may have a registry of its own, where tags mean something else than in the page. An element defined in
 * such a registry draws its parts by the same registry; where the engine knows no such thing, nothing here does anything.
 */
type Registry = CustomElementRegistry | null | undefined;
type Scoped = Element & { readonly customElementRegistry?: Registry };

/** The registry of an element, unless it is the page's. */
function registryOf(host: Scoped): Registry {
  const own = host.customElementRegistry;
  return own === globalThis.customElements ? undefined : own;
}

/** Makes an element of a tag of ours inside `host`. */
export function createIn<Tag extends keyof HTMLElementTagNameMap>(host: Element, tag: Tag): HTMLElementTagNameMap[Tag] {
  const customElementRegistry = registryOf(host);
  return document.createElement(tag, customElementRegistry ? ({ customElementRegistry } as ElementCreationOptions) : undefined);
}

/** Gives `host` the shadow root and the templates of its own registry, before anything is drawn. */
export function scope(host: LitElement): void {
  const customElementRegistry = registryOf(host);
  if (!customElementRegistry || host.shadowRoot) return;
  const { shadowRootOptions } = host.constructor as typeof LitElement;
  host.attachShadow({ ...shadowRootOptions, customElementRegistry } as ShadowRootInit);
  const importNode = <T extends Node>(node: T): T => document.importNode(node, { customElementRegistry } as unknown as boolean);
  host.renderOptions.creationScope = { importNode };
}
