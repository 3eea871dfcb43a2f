import { html, LitElement, nothing } from 'lit';
import type { PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { createMemorySource, createStore } from '@sitrep/client';
import type { Store } from '@sitrep/client';
import { checkStreamEvent } from '@sitrep/schema/check';
import { dialects } from '@sitrep/schema/dialect';
import { createDecoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema';
import { pastedFrames } from './pasted-frames.ts';
import { moved } from './moved.ts';
import type { DialectName } from './recordings.ts';
import { workshop } from './workshop.styles.ts';

/** The name under which our own events stand among the dialects. */
export const OWN = 'sitrep';

interface Reading {
  readonly store: Store;
  readonly events: readonly unknown[];
  readonly problems: readonly string[];
}

/** Paste events of any dialect and see what becomes of them: what they mean, what is wrong with them, and how they are drawn. */
export class PlayGround extends LitElement {
  static override styles = workshop;

  static override properties: PropertyDeclarations = { dialect: {}, text: {}, dated: { type: Boolean } };

  /** Name of the dialect, or `sitrep` for our own events. */
  declare dialect: string;
  /** What was pasted. */
  declare text: string;
  /** Leaves every time as it is. Otherwise the newest event happened now, and the others before it. */
  declare dated: boolean;

  #read: Reading | undefined;

  constructor() {
    super();
    this.dialect = OWN;
    this.text = '';
    this.dated = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#read?.store.close();
    this.#read = undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (this.#read && !changed.has('text') && !changed.has('dialect') && !changed.has('dated')) return;
    this.#read?.store.close();
    this.#read = read(this.dialect, this.text, this.dated);
  }

  protected override render(): TemplateResult {
    const { store, events, problems } = this.#read!;
    return html`<div class="bar">
        <label
          >Dialect
          <select @change=${(event: Event) => (this.dialect = (event.target as HTMLSelectElement).value)}>
            ${[OWN, ...Object.keys(dialects)].map((name) => html`<option value=${name} ?selected=${name === this.dialect}>${name}</option>`)}
          </select></label
        >
        <label
          ><input
            type="checkbox"
            ?checked=${!this.dated}
            @change=${(event: Event) => (this.dated = !(event.target as HTMLInputElement).checked)}
          />
          As if it happened now</label
        >
        <output>${events.length} events, ${problems.length} problems</output>
      </div>
      <textarea
        rows="12"
        spellcheck="false"
        aria-label="Frames: a JSON list, one on each line, or a stream of server-sent events"
        .value=${this.text}
        @input=${(event: Event) => (this.text = (event.target as HTMLTextAreaElement).value)}
      ></textarea>
      ${
        problems.length
          ? html`<section>
              <h3>What is wrong</h3>
              <ol tabindex="0" aria-label="What is wrong">
                ${problems.map((problem) => html`<li>${problem}</li>`)}
              </ol>
            </section>`
          : nothing
      }
      <div class="sides">
        <progress-provider class="shown" .store=${store}>
          <div><status-pill summary></status-pill></div>
          <progress-card open></progress-card>
        </progress-provider>
        <section>
          <h3>What it means</h3>
          <pre tabindex="0" aria-label="What it means">${events.length ? JSON.stringify(events, null, 2) : 'Nothing yet.'}</pre>
        </section>
      </div>`;
  }
}

function read(dialect: string, text: string, dated: boolean): Reading {
  const session = 'pasted';
  const source = createMemorySource();
  const problems: string[] = [];
  const events: ProgressEvent[] = [];
  const store = createStore({ source, quantum: 0, onDiagnostic: ({ code, message }) => problems.push(`${code}: ${message}`) });
  const decoder = dialect === OWN ? undefined : createDecoder(dialects[dialect as DialectName], { session });
  for (const pasted of text.trim() === '' ? [] : pastedFrames(text)) {
    const where = `Line ${pasted.line}: `;
    if ('problem' in pasted) {
      problems.push(where + pasted.problem);
      continue;
    }
    const decoded = decoder ? decoder.decode(pasted.frame, Date.now()) : own(pasted.frame);
    if (!decoded.ok) problems.push(...decoded.issues.map(({ path, message }) => `${where}${path || 'the frame'}: ${message}`));
    else if ('mended' in decoded && decoded.mended)
      problems.push(...decoded.mended.map(({ path, message }) => `${where}${path || 'the frame'} was mended: ${message}`));
    if (!decoded.ok) continue;
    events.push(...decoded.events);
  }
  const late = dated ? 0 : Date.now() - Math.max(...events.map(({ at }) => at));
  for (const event of events) source.push(moved(event, (time) => time + late));
  return { store, events, problems };
}

function own(frame: unknown): ReturnType<ReturnType<typeof createDecoder>['decode']> {
  const checked = checkStreamEvent(frame);
  return checked.ok ? { ok: true, events: [checked.value as ProgressEvent] } : { ok: false, issues: checked.issues };
}

if (!customElements.get('play-ground')) customElements.define('play-ground', PlayGround);

declare global {
  interface HTMLElementTagNameMap {
    'play-ground': PlayGround;
  }
}
