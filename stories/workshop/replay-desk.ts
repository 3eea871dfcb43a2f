import { html, LitElement } from 'lit';
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { Player } from './player.ts';
import { live } from 'lit/directives/live.js';
import { recordings } from './recordings.ts';
import { workshop } from './workshop.styles.ts';

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 64];

/** Plays recorded streams of agents: play, pause, any speed, any place; the frames beside what the elements make of them. */
export class ReplayDesk extends LitElement {
  static override styles = workshop;

  static override properties: PropertyDeclarations = { recording: {}, speed: { type: Number }, position: { type: Number } };

  /** Key of the recording. */
  declare recording: string;
  /** How much faster than recorded. */
  declare speed: number;
  /** Frames to begin with. */
  declare position: number;

  #player: Player | undefined;

  constructor() {
    super();
    this.recording = 'release';
    this.speed = 1;
    this.position = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#player?.pause();
  }

  protected override willUpdate(changed: PropertyValues): void {
    const other = changed.has('recording') || !this.#player;
    if (other) {
      this.#player?.close();
      this.#player = new Player((recordings[this.recording] ?? recordings['release']!)().frames, () => this.requestUpdate());
    }
    const player = this.#player!;
    player.speed = this.speed;
    if (other || changed.has('position')) player.seek(Math.min(this.position, player.frames.length));
  }

  protected override render(): TemplateResult {
    const player = this.#player!;
    const { frames, position, playing } = player;
    const last = frames[position - 1];
    return html`<div class="bar">
        <label class="grow"
          >Recording
          <select
            class="grow"
            .value=${live(this.recording)}
            @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value)}
          >
            ${Object.entries(recordings).map(
              ([key, open]) => html`<option value=${key} ?selected=${key === this.recording}>${open().name}</option>`,
            )}
          </select></label
        >
        <label
          >Speed
          <select
            .value=${live(String(this.speed))}
            @change=${(event: Event) => (this.speed = Number((event.target as HTMLSelectElement).value))}
          >
            ${[...new Set([...SPEEDS, this.speed])].toSorted((a, b) => a - b).map((speed) => html`<option value=${speed} ?selected=${speed === this.speed}>${speed}×</option>`)}
          </select></label
        >
      </div>
      <div class="bar">
        <button type="button" data-do="play" @click=${() => (playing ? player.pause() : player.play())}>
          ${playing ? 'Pause' : 'Play'}
        </button>
        <button type="button" data-do="restart" @click=${this.#restart}>Restart</button>
        <button type="button" data-do="back" ?disabled=${position === 0} @click=${() => player.seek(position - 1)}>Back</button>
        <button type="button" data-do="step" ?disabled=${position >= frames.length} @click=${() => player.seek(position + 1)}>Step</button>
        <label class="grow"
          ><span>Frame</span>
          <input
            type="range"
            min="0"
            max=${frames.length}
            .value=${live(String(position))}
            aria-valuetext="${position} of ${frames.length}"
            @input=${(event: Event) => player.seek(Number((event.target as HTMLInputElement).value))}
          />
        </label>
        <output>${position} of ${frames.length}</output>
      </div>
      <div class="sides">
        <progress-provider class="shown" .store=${player.store}>
          <div><status-pill summary></status-pill></div>
          <progress-card open heading="What the agent says"></progress-card>
        </progress-provider>
        <div class="shown">
          <section>
            <h3>Frame as it was sent</h3>
            <pre tabindex="0" aria-label="Frame as it was sent">${last ? JSON.stringify(last.raw, null, 2) : 'None yet.'}</pre>
          </section>
          <section>
            <h3>What it means</h3>
            <pre tabindex="0" aria-label="What the frame means">
${last?.events.length ? JSON.stringify(last.events, null, 2) : 'Nothing that is to be shown.'}</pre>
          </section>
        </div>
      </div>`;
  }

  /** Plays from the beginning, whether it plays or not. */
  readonly #restart = (): void => {
    this.#player!.seek(0);
    this.#player!.play();
  };

  #choose(key: string): void {
    this.position = 0;
    this.recording = key;
  }
}

if (!customElements.get('replay-desk')) customElements.define('replay-desk', ReplayDesk);

declare global {
  interface HTMLElementTagNameMap {
    'replay-desk': ReplayDesk;
  }
}
