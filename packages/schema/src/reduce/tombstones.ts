/** What is remembered of something cleared or let go. */
export interface Tombstone {
  /** The last attempt that was seen: only a higher one may come back. */
  readonly attempt: number;
}

/**
 * The last `limit` keys that were cleared or let go, the oldest forgotten first, in constant time each. A key keeps its
 * place when it is buried again.
 */
export class Tombstones {
  readonly #limit: number;
  readonly #graves = new Map<string, Tombstone>();
  /** The keys in order of burial, as a ring. */
  #ring: string[] = [];
  #next = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): Tombstone | undefined {
    return this.#graves.get(key);
  }

  bury(key: string, attempt: number): void {
    if (this.#limit <= 0) return;
    const held = this.#graves.get(key);
    if (held === undefined) this.#makeRoom(key);
    if (held === undefined || held.attempt < attempt) this.#graves.set(key, Object.freeze({ attempt }));
  }

  entries(): IterableIterator<[string, Tombstone]> {
    return this.#graves.entries();
  }

  clear(): void {
    this.#graves.clear();
    this.#ring = [];
    this.#next = 0;
  }

  #makeRoom(key: string): void {
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#graves.delete(oldest);
    this.#ring[this.#next] = key;
    this.#next = (this.#next + 1) % this.#limit;
  }
}
