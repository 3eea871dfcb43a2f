import { html, LitElement } from 'lit';
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { Player } from './player.ts';
import { recordings } from './recordings.ts';
import { workshop } from './workshop.styles.ts';

interface Said {
  readonly text: string;
  readonly urgent: boolean;
  readonly at: number;
}
type Notify = (text: string, options?: { readonly priority?: string }) => void;
type Speaking = HTMLElement & { ariaNotify?: Notify };

/**
 * What a run sounds like: every sentence that the page's one voice says while a recording plays, when, and how urgently. It
 * listens where a screen reader does, to `ariaNotify` and to live regions, and does not change what is said.
 */
export class SpokenLog extends LitElement {
  static override styles = workshop;

  static override properties: PropertyDeclarations = { recording: {}, speed: { type: Number }, milestones: { type: Boolean } };

  /** Key of the recording. */
  declare recording: string;
  /** How much faster than recorded. */
  declare speed: number;
  /** Also says quarters. */
  declare milestones: boolean;

  #recording = recordings['release']!();
  #player: Player | undefined;
  #said: readonly Said[] = [];
  #begun = 0;
  #stop: (() => void) | undefined;

  constructor() {
    super();
    this.recording = 'release';
    this.speed = 1;
    this.milestones = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = listen((text, urgent) => {
      this.#said = [...this.#said.slice(-99), { text, urgent, at: performance.now() - this.#begun }];
      this.requestUpdate();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#player?.close();
    this.#player = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('recording') || !this.#player) {
      this.#player?.close();
      this.#said = [];
      this.#recording = (recordings[this.recording] ?? recordings['release']!)();
      this.#player = new Player(this.#recording.frames, () => this.requestUpdate());
    }
    this.#player.speed = this.speed;
  }

  protected override render(): TemplateResult {
    const { position, frames, playing, store } = this.#player!;
    return html`<div class="bar">
        <button type="button" @click=${this.#play}>${playing ? 'Pause' : 'Play and listen'}</button>
        <output>${position} of ${frames.length} frames, ${this.#said.length} sentences</output>
      </div>
      <div class="sides">
        <progress-provider class="shown" .store=${store}>
          <progress-card heading=${this.#recording.name} ?milestones=${this.milestones}></progress-card>
        </progress-provider>
        <section>
          <h3>What was said</h3>
          <ol tabindex="0" aria-label="What was said">
            ${this.#said.map(
              ({ text, urgent, at }) =>
                html`<li>
                  <span class="faint">${(at / 1000).toFixed(1)} s, ${urgent ? 'at once' : 'when there is a pause'}:</span> ${text}
                </li>`,
            )}
          </ol>
        </section>
      </div>`;
  }

  readonly #play = (): void => {
    const player = this.#player!;
    if (player.playing) return player.pause();
    if (player.position === 0 || player.position >= player.frames.length) {
      this.#said = [];
      this.#begun = performance.now();
    }
    player.play();
  };
}

/** Tells of everything the page says, until the answer is called. */
function listen(heard: (text: string, urgent: boolean) => void): () => void {
  const body: Speaking = document.body;
  const { ariaNotify } = body;
  if (ariaNotify) {
    body.ariaNotify = (text, options) => {
      heard(text, options?.priority === 'high');
      ariaNotify.call(body, text, options);
    };
    return () => delete body.ariaNotify;
  }
  const observer = new MutationObserver((records) => {
    for (const { target } of records) {
      const region = (target instanceof Element ? target : target.parentElement)?.closest('[data-sitrep="voice"]');
      if (region?.textContent) heard(region.textContent, region.role === 'alert');
    }
  });
  observer.observe(body, { subtree: true, childList: true, characterData: true });
  return () => observer.disconnect();
}

if (!customElements.get('spoken-log')) customElements.define('spoken-log', SpokenLog);

declare global {
  interface HTMLElementTagNameMap {
    'spoken-log': SpokenLog;
  }
}
