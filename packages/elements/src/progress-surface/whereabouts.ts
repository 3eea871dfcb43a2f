import { ProgressPlaceChangeEvent } from '../events/progress-place-change.ts';
import type { ProgressCard } from '../progress-card/progress-card.ts';
import { keep, move } from './keep.ts';
import type { Kept } from './keep.ts';
import type { Opening } from './opening.ts';
import { PlaceWatch } from './place-watch.ts';
import type { Place, Places } from './places.ts';
import { isSeen } from './room.ts';

/** Frames after which a rail that was given the card has to be in sight. */
const SHOWING = 3;

/** Whose card it is. */
export interface WhereaboutsHost {
  readonly surface: HTMLElement;
  readonly places: Places;
  readonly opening: Opening;
  card(): ProgressCard | undefined;
  /** There is something to show, and it may be shown. */
  shows(): boolean;
  /** The card is still as a server drew it, and where. */
  isDrawn(): boolean;
  /** The card is there now, in the surface itself or not. */
  stand(place: Place | undefined, inside: boolean): void;
}

/** Puts the card where it belongs, and knows where that is. */
export class Whereabouts {
  readonly #host: WhereaboutsHost;
  readonly #watch = new PlaceWatch(() => this.#sized());
  #place: Place | undefined;
  /** The rail was given the card and did not show it. */
  #barred = false;
  #frame = 0;

  constructor(host: WhereaboutsHost) {
    this.#host = host;
  }

  /** Where the card is; undefined while there is nothing to show. */
  get place(): Place | undefined {
    return this.#place;
  }

  get isRoomy(): boolean {
    const roomy = this.#host.places.isRoomy(this.#place === 'rail');
    this.#barred &&= roomy;
    return roomy && !this.#barred;
  }

  /** Looks where the card belongs now, and has it there. `kept` is what the reader did in it before the page changed. */
  settle(kept?: Kept): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    const { surface, places, opening } = this.#host;
    const card = this.#host.card();
    if (!surface.isConnected) return;
    const place = this.#decide();
    if (!place) this.#takeOut();
    else if (card && (place !== this.#place || !this.#isHome)) this.#put(card, place, kept ?? keep(card));
    this.#stand();
    const { shell, rail, elsewhere, isMissing } = places;
    this.#watch.watch(shell, [surface, rail, elsewhere], isMissing);
    opening.watch();
  }

  /** The surface has left the page. */
  leave(): void {
    this.#takeOut();
    this.#watch.watch(undefined, [], false);
  }

  #decide(): Place | undefined {
    const { places } = this.#host;
    if (!this.#host.shows()) return undefined;
    if (this.#host.isDrawn()) return 'composer';
    // What is not drawn at all comes back as it went.
    if (places.isAway) return this.#place;
    return this.isRoomy ? 'rail' : 'composer';
  }

  /** Sizes are looked at where nothing may be changed: what has to move moves with the next frame. */
  #sized(): void {
    const card = this.#host.card();
    const { rail, shell } = this.#host.places;
    this.#barred &&= !(rail && isSeen(rail, shell));
    if (this.#decide() === this.#place && this.#isHome) return;
    const kept = card && keep(card);
    this.#frame ||= requestAnimationFrame(() => this.settle(kept));
  }

  get #target(): HTMLElement | undefined {
    const { places } = this.#host;
    if (this.#host.isDrawn()) return places.own('composer');
    return this.#place && (this.#place === 'rail' ? places.rail : places.composer);
  }

  get #isHome(): boolean {
    return (this.#host.card()?.parentElement || undefined) === this.#target;
  }

  #put(card: ProgressCard, place: Place, { inUse, giveBack }: Kept): void {
    const { opening, surface } = this.#host;
    // What the reader is in the middle of is not folded away.
    if (inUse) opening.hold();
    const before = this.#place;
    this.#place = place;
    const target = this.#target!;
    this.#stand();
    if (card.parentElement !== target) move(card, target);
    card.placement = place === 'composer' ? 'composer' : undefined;
    opening.apply();
    giveBack();
    if (place !== before) surface.dispatchEvent(new ProgressPlaceChangeEvent(place));
    if (place === 'rail') this.#seeRail(SHOWING);
    // What depends on how it is drawn there is given back once more then.
    void card.updateComplete.then(giveBack);
  }

  /** A rail that does not show what it was given has no room after all. */
  #seeRail(frames: number): void {
    requestAnimationFrame(() => {
      const { places } = this.#host;
      const card = this.#host.card();
      if (this.#place !== 'rail' || !card || places.isAway || isSeen(card, places.shell)) return;
      if (frames > 0) return this.#seeRail(frames - 1);
      this.#barred = true;
      this.settle();
    });
  }

  #takeOut(): void {
    const { opening, surface } = this.#host;
    this.#host.card()?.remove();
    const before = this.#place;
    this.#place = undefined;
    opening.watch();
    if (before) surface.dispatchEvent(new ProgressPlaceChangeEvent(undefined));
  }

  #stand(): void {
    this.#host.stand(this.#place, this.#place === 'composer' && this.#target === this.#host.places.own('composer'));
  }
}
