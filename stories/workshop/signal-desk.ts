import { html, LitElement } from 'lit';
import type { PropertyDeclarations, TemplateResult } from 'lit';
import { signalPage } from '@sitrep/elements/page-signals';
import type { SessionView } from '@sitrep/client';
import { changing } from '../fixtures/changing.ts';
import { ago, operation, run, session } from '../fixtures/records.ts';
import { workshop } from './workshop.styles.ts';

const asked = { kind: 'permission', prompt: 'Delete 14 merged branches?' } as const;
const turn = (over: Parameters<typeof operation>[0]) => [operation({ run: 'turn-1', ...over })];

const sessions: Readonly<Record<string, Partial<SessionView>>> = {
  working: { runs: [run()], operations: turn({}) },
  counted: { runs: [run()], operations: turn({ current: 42, total: 100, unit: 'files' }) },
  'needs you': { runs: [run()], operations: turn({ state: 'blocked', blockedOn: asked }) },
  failed: { runs: [run({ state: 'failed', endedAt: ago(4) })] },
  done: { runs: [run({ state: 'completed', endedAt: ago(4) })] },
  lost: { runs: [run()], operations: turn({}), connection: { state: 'lost', since: ago(60) } },
};

/** Shows what the tab of the page shows, for a session that stands somewhere. */
export class SignalDesk extends LitElement {
  static override styles = workshop;

  static override properties: PropertyDeclarations = { shown: {} };

  /** Where the session stands. */
  declare shown: string;

  readonly #store = changing(session());
  #stop: (() => void) | undefined;
  #observer: MutationObserver | undefined;

  constructor() {
    super();
    this.shown = 'working';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = signalPage(this.#store);
    this.#observer = new MutationObserver(() => this.requestUpdate());
    this.#observer.observe(document.head, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#observer?.disconnect();
    this.#stop?.();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('shown')) return;
    const stands = sessions[this.shown] ?? {};
    this.#store.set({ runs: [], operations: [], connection: { state: 'live', since: ago(60) }, ...stands });
  }

  protected override render(): TemplateResult {
    const ring = [...document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')].at(-1);
    return html`<div class="bar" role="group" aria-label="Where the session stands">
        ${Object.keys(sessions).map(
          (name) => html`<button type="button" aria-pressed=${name === this.shown} @click=${() => (this.shown = name)}>${name}</button>`,
        )}
      </div>
      <p class="bar">
        <span>The tab:</span>
        ${ring?.href.startsWith('data:') ? html`<img src=${ring.href} alt="" width="16" height="16" />` : ''}<output
          >${document.title}</output
        >
      </p>`;
  }
}

if (!customElements.get('signal-desk')) customElements.define('signal-desk', SignalDesk);

declare global {
  interface HTMLElementTagNameMap {
    'signal-desk': SignalDesk;
  }
}
