import { html, nothing } from 'lit';
import type { CSSResult, ReactiveElement, TemplateResult } from 'lit';
import { duration, outage } from '@sitrep/schema/select';
import type { Connection, Outage } from '@sitrep/schema/select';
import { every } from '../display/clock.ts';
import { follow, languageOf } from '../display/language.ts';
import { icon, pillStyles } from '../display/pill.ts';
import { look } from '../display/shown-state.ts';
import { tones } from '../display/tones.styles.ts';
import { sentence } from '../display/punctuation.ts';
import { tr } from '../display/tr.ts';
import { prepareVoice, speak } from '../display/voice.ts';
import { bannerStyles } from './banner.styles.ts';

/** What was known is called out of date after this, milliseconds. */
const OLD = 30_000;

/** Says how fresh the session of a provider is while it is not: in a banner, and once by the page's voice. */
export class Banner {
  readonly #host: ReactiveElement;
  readonly #retry: () => void;
  #told = false;
  #spoken = false;

  /** `retry` has the connection made again. */
  constructor(host: ReactiveElement, retry: () => void) {
    this.#host = host;
    this.#retry = retry;
    prepareVoice();
    const root = host.renderRoot as ShadowRoot;
    const sheets = [tones, pillStyles, bannerStyles].map((one: CSSResult) => one.styleSheet).filter((sheet) => sheet !== undefined);
    if (root.ownerDocument === document) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...sheets];
  }

  /** The banner for a connection as it is now. What the page gave for it, in the slot, is shown at the same times. */
  render(connection: Connection | undefined, inline: boolean): TemplateResult {
    follow(this.#host);
    const now = Date.now();
    const state = outage(connection, now, this.#told);
    this.#told = state !== undefined;
    this.#speak(state);
    every(this.#host.isConnected ? paceOf(connection, state, now) : 0, this.#host);
    return html`<slot name="banner" ?hidden=${!state}>${state ? this.#draw(state, connection!, now, inline) : nothing}</slot>`;
  }

  /** Nothing is shown any more. */
  stop(): void {
    every(0, this.#host);
    follow(this.#host);
    this.#told = this.#spoken = false;
  }

  #draw(state: Outage, { since }: Connection, now: number, inline: boolean): TemplateResult {
    const language = languageOf(this.#host);
    const time = duration(now - since - ((now - since) % 1000), language);
    const old = now - since >= OLD;
    const [path, tone, word] = look(state === 'back' ? 'done' : state);
    const words =
      state === 'back'
        ? tr('up to date again', language)
        : state === 'quiet'
          ? tr('no news for {time}', language, { time })
          : tr(word, language);
    return html`<div part="banner ${state}" class="banner ${state === 'back' ? 'success' : tone} ${inline ? 'inline' : ''}">
      ${icon(path)}<span class="words" dir="auto"
        >${words}${
          old && (state === 'reconnecting' || state === 'lost')
            ? html`<span class="since"> · ${tr('out of date for {time}', language, { time })}</span>`
            : nothing
        }</span
      >${
        state === 'lost'
          ? html`<button part="banner-retry" type="button" @click=${this.#retry}>${tr('Try again', language)}</button>`
          : nothing
      }
    </div>`;
  }

  /** A broken connection is said once, and once that it is back; silence alone is not. */
  #speak(state: Outage | undefined): void {
    const language = languageOf(this.#host);
    const say = (words: string): void => speak(words, 'normal', (n) => tr('{n} more.', language, { n }));
    if ((state === 'lost' || state === 'reconnecting') && !this.#spoken) {
      this.#spoken = true;
      say(tr('The connection was lost.', language));
    } else if ((state === 'back' || state === undefined) && this.#spoken) {
      this.#spoken = false;
      if (state) say(sentence(tr('up to date again', language), language));
    }
  }
}

/** How soon the banner may be another one by time alone, seconds. */
function paceOf(connection: Connection | undefined, state: Outage | undefined, now: number): number {
  if (state === undefined) return connection && ['connecting', 'reconnecting'].includes(connection.state) ? 1 : 0;
  return state === 'back' || now - connection!.since < 60_000 ? 1 : 30;
}
