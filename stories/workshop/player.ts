import { createMemorySource, createStore } from '@sitrep/client';
import type { MemorySource, Store } from '@sitrep/client';
import { moved } from './moved.ts';
import type { Frame } from './recordings.ts';

/** Longest pause between two frames, milliseconds, however slowly it is played. */
const LONGEST = 5_000;

/**
 * Plays frames into a store, at any speed, from any place. What is played happens now: every time in it is moved there, so that
 * what runs is shown as running.
 */
export class Player {
  readonly frames: readonly Frame[];
  /** Frames played so far. */
  position = 0;
  store: Store;
  #source: MemorySource;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #speed = 1;
  /** When the frame before was handed over, by the clock of the page. */
  #pushed = 0;
  readonly #changed: () => void;

  constructor(frames: readonly Frame[], changed: () => void) {
    this.frames = frames;
    this.#changed = changed;
    [this.#source, this.store] = fresh();
  }

  /** How much faster than recorded. It holds from where the recording is: also for the pause that it is in. */
  get speed(): number {
    return this.#speed;
  }
  set speed(speed: number) {
    if (!(speed > 0) || speed === this.#speed) return;
    this.#speed = speed;
    if (this.playing) this.#next();
  }

  get playing(): boolean {
    return this.#timer !== undefined;
  }

  play(): void {
    if (this.playing) return;
    if (this.position >= this.frames.length) this.seek(0);
    this.#pushed = performance.now();
    this.#next();
    this.#changed();
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed();
  }

  /** Goes to a place: back means from the beginning again, since nothing that is shown can be taken back. */
  seek(position: number): void {
    if (position < this.position) {
      this.store.close();
      [this.#source, this.store] = fresh();
      this.position = 0;
    }
    while (this.position < position) this.#push(this.frames[position - 1]!.at);
    if (this.playing) this.#next();
    this.#changed();
  }

  close(): void {
    this.pause();
    this.store.close();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const [before, frame] = [this.frames[this.position - 1], this.frames[this.position]];
    if (!frame) {
      this.#timer = undefined;
      return;
    }
    const whole = before ? Math.min(LONGEST, (frame.at - before.at) / this.speed) : 0;
    const pause = Math.max(0, whole - (performance.now() - this.#pushed));
    this.#timer = setTimeout(() => {
      this.#push(frame.at);
      this.#next();
      this.#changed();
    }, pause);
  }

  /** Hands over the next frame, as if `then` of the recording were now. */
  #push(then: number): void {
    const now = Date.now();
    this.#pushed = performance.now();
    const move = (time: number): number => Math.round(now - (then - time) / this.speed);
    for (const event of this.frames[this.position++]!.events) this.#source.push(moved(event, move));
  }
}

function fresh(): [MemorySource, Store] {
  const source = createMemorySource();
  const store = createStore({ source, session: 'replay', quantum: 50 });
  return [source, store];
}
