import { LitElement, ReactiveElement } from 'lit';
import type { CSSResultOrNative, PropertyValues } from 'lit';
import { ProgressElement } from '../display/progress-element.ts';
import type { SessionLink } from '../display/session-link.ts';
import { ProgressProvider } from '../progress-provider/progress-provider.ts';
import { Bridge } from './bridge.ts';
import { drawnSession } from './data.ts';
import { takeOver, withLists } from './take-over.ts';
import { whenSeen } from './when-seen.ts';

/** The attribute of an element that leaves what the server drew as it is, until it goes. */
const DEFER = 'defer-hydration';
/** The attribute that says at which time the server drew it. */
const DRAWN_AT = 'drawn-at';

/** What is used of an element; most of it is protected. */
interface Drawn extends Omit<LitElement, 'update' | 'performUpdate'> {
  link?: SessionLink | undefined;
  src?: string | undefined;
  showDelay?: number | undefined;
  performUpdate(): void;
  update(changed: PropertyValues): void;
  render(): unknown;
}

/** Elements that have yet to be taken over, with the time at which they were drawn. */
const waiting = new WeakMap<Drawn, number>();
/** The times at which elements were drawn. */
const times = new WeakMap<Element, number>();
const started = new WeakSet<Drawn>();
/** Those of them that wait for their language: what moves them in the page meanwhile begins nothing. */
const preparing = new WeakSet<Drawn>();

/** Teaches elements to take over what a server drew. */
export function support(element: typeof LitElement): void {
  const own = element.prototype as unknown as Drawn & { createRenderRoot(): HTMLElement | DocumentFragment };
  const { connectedCallback, attributeChangedCallback, createRenderRoot, performUpdate, update } = own;
  const { observedAttributes } = Object.getOwnPropertyDescriptors(element);
  Object.defineProperty(element, 'observedAttributes', {
    configurable: true,
    get(this: typeof LitElement): string[] {
      const names =
        observedAttributes?.get?.call(this) ?? Reflect.get(Object.getPrototypeOf(element) as object, 'observedAttributes', this);
      return [...(names as string[]), DEFER];
    },
  });

  Object.assign(own, {
    connectedCallback(this: Drawn): void {
      if (preparing.has(this)) return;
      attachTemplate(this);
      if (this.hasUpdated || started.has(this) || !this.shadowRoot) return connectedCallback.call(this as unknown as LitElement);
      if (!this.hasAttribute(DEFER)) void begin(this);
      else if (this.getAttribute(DEFER) === 'visible') whenSeen(this, () => this.removeAttribute(DEFER));
    },

    attributeChangedCallback(this: Drawn, name: string, before: string | null, now: string | null): void {
      if (name === DEFER && now === null && this.isConnected && !this.hasUpdated) this.connectedCallback();
      attributeChangedCallback.call(this as unknown as LitElement, name, before, now);
    },

    createRenderRoot(this: Drawn): HTMLElement | DocumentFragment {
      return this.shadowRoot ?? createRenderRoot.call(this);
    },

    performUpdate(this: Drawn): void {
      const at = waiting.get(this);
      if (at === undefined) return performUpdate.call(this);
      // Everything is drawn as the server drew it: from the same data, in the same language, at the same time.
      const real = Date.now;
      const { showDelay } = this;
      try {
        Date.now = () => at;
        // What is seen already is not held back.
        if ('showDelay' in this) this.showDelay ??= 0;
        withLists(this.shadowRoot!, () => performUpdate.call(this));
      } finally {
        Date.now = real;
        if ('showDelay' in this) this.showDelay = showDelay;
      }
      for (const inner of this.shadowRoot!.querySelectorAll(`[${DEFER}]`)) inner.removeAttribute(DEFER);
      this.requestUpdate();
    },

    update(this: Drawn, changed: PropertyValues): void {
      if (!waiting.delete(this)) return update.call(this, changed);
      const value = this.render();
      (ReactiveElement.prototype as unknown as Drawn).update.call(this, changed);
      this.renderOptions.isConnected = true;
      takeOver(this.shadowRoot!, value, this.renderOptions, (this.constructor as typeof LitElement).elementStyles as CSSResultOrNative[]);
    },
  });

  /** Where markup came by script, nobody has made shadow roots of its templates yet. */
  function attachTemplate(host: Drawn): void {
    const template = host.querySelector<HTMLTemplateElement>(':scope > template[shadowrootmode]');
    if (!template) return;
    if (!host.shadowRoot) host.attachShadow({ mode: 'open' }).append(template.content);
    template.remove();
  }

  async function begin(host: Drawn): Promise<void> {
    started.add(host);
    const lang = host.closest('[lang]')?.getAttribute('lang');
    if (lang && !/^en\b/i.test(lang)) {
      preparing.add(host);
      // Without its words it is told in English, like any other element.
      await import('../locales/languages.ts').then(({ loadLanguage }) => loadLanguage(lang)).catch(() => undefined);
      preparing.delete(host);
    }
    if (!host.isConnected) return void started.delete(host);
    // What is inside another one was drawn together with it.
    const at = Number(host.getAttribute(DRAWN_AT)) || times.get((host.getRootNode() as ShadowRoot).host) || Date.now();
    times.set(host, at);
    const src = host.src ?? host.getAttribute('src') ?? host.closest('progress-provider')?.getAttribute('src') ?? undefined;
    const session = src === undefined ? undefined : drawnSession(src);
    if (session && host instanceof ProgressElement) host.link = new Bridge(host as never, session);
    waiting.set(host, at);
    connectedCallback.call(host as unknown as LitElement);
  }
}

if (globalThis.document) for (const element of [ProgressElement, ProgressProvider]) support(element as unknown as typeof LitElement);
