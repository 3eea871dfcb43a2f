import { aroundBoth } from '../display/composed.ts';
import { hasRoom } from './room.ts';

/** Where the card can be. */
export type Place = 'rail' | 'composer';

/** What the page says about the places. */
export interface Placing extends HTMLElement {
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly rail: string | undefined;
  readonly railFrom: string | undefined;
  readonly composer: string | undefined;
  readonly shell: string | undefined;
}

/** Width from which a surface around the whole shell has room for a rail, unless the page says otherwise. */
const AROUND = '55rem';

/** Finds the places of a surface, as the page has them now. */
export class Places {
  readonly #host: Placing;

  constructor(host: Placing) {
    this.#host = host;
  }

  /** True if the surface is the shell. */
  get isAround(): boolean {
    return this.#host.children.length > 0;
  }

  /** What is measured: it has a box of its own. */
  get shell(): HTMLElement {
    const { shell } = this.#host;
    const found = shell ? this.#named(shell) : undefined;
    return boxOf(found ?? (this.isAround ? this.#host : aroundBoth(this.#host, this.rail)));
  }

  get rail(): HTMLElement | undefined {
    const { rail } = this.#host;
    if (rail) return this.#named(rail);
    return this.isAround ? this.own('rail') : undefined;
  }

  get composer(): HTMLElement {
    return this.elsewhere ?? this.own('composer');
  }

  /** The element the page names for the place beside the composer, where it does. */
  get elsewhere(): HTMLElement | undefined {
    const { composer } = this.#host;
    return composer ? this.#named(composer) : undefined;
  }

  /** True while something that the page names is not there. */
  get isMissing(): boolean {
    const { rail, composer } = this.#host;
    return !!((rail && !this.rail) || (composer && !this.elsewhere));
  }

  /** True while the shell is not drawn at all: then nothing can be measured. */
  get isAway(): boolean {
    const { shell } = this;
    // The surface itself is drawn only once it is known what it shows.
    return !boxOf(
      shell === this.#host ? (shell.parentElement ?? ((shell.getRootNode() as ShadowRoot).host as HTMLElement)) : shell,
    ).checkVisibility();
  }

  /** Whether the rail has room for the card, or still has while the card is `inRail`. */
  isRoomy(inRail: boolean): boolean {
    const { rail, railFrom } = this.#host;
    const from = railFrom ?? (this.isAround && !rail ? AROUND : undefined);
    return hasRoom({ shell: this.shell, rail: this.rail, from, inRail });
  }

  /** The place inside the surface. */
  own(place: Place): HTMLElement {
    return this.#host.renderRoot.querySelector<HTMLElement>(`.${place}`)!;
  }

  #named(id: string): HTMLElement | undefined {
    id = id.replace(/^#/, '');
    return ((this.#host.getRootNode() as Document).getElementById?.(id) ?? document.getElementById(id)) || undefined;
  }
}

/** The nearest element with a box of its own. */
function boxOf(element: HTMLElement): HTMLElement {
  let at = element;
  while (at.parentElement && getComputedStyle(at).display === 'contents') at = at.parentElement;
  return at;
}
