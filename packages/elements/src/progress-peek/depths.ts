/**
 * What happens between two parts of one shadow root is not told outside of it. This listens inside, too, in those shadow roots that
 * the reader is in at the moment.
 */
export class Depths {
  readonly #type: string;
  readonly #listener: (event: never) => void;
  #roots: ShadowRoot[] = [];

  constructor(type: string, listener: (event: never) => void) {
    this.#type = type;
    this.#listener = listener;
  }

  /** The reader is where this event has come from. */
  follow(event: Event): void {
    const path = event.composedPath();
    const inner = path.slice(0, path.indexOf(event.currentTarget!)).filter((one) => one instanceof ShadowRoot);
    // Told from within, it says nothing of what is around.
    if (event.currentTarget instanceof ShadowRoot && this.#roots.includes(event.currentTarget))
      inner.push(...this.#from(event.currentTarget));
    this.#listen(inner);
  }

  /** The reader is nowhere. */
  stop(): void {
    this.#listen([]);
  }

  /** Those roots that are known, from this one outwards. */
  #from(root: ShadowRoot): ShadowRoot[] {
    return this.#roots.slice(this.#roots.indexOf(root));
  }

  #listen(roots: ShadowRoot[]): void {
    for (const root of this.#roots) if (!roots.includes(root)) root.removeEventListener(this.#type, this.#listener as EventListener);
    for (const root of roots) if (!this.#roots.includes(root)) root.addEventListener(this.#type, this.#listener as EventListener);
    this.#roots = roots;
  }
}
