import { closeSync, fsyncSync, openSync, rmSync, statSync, writeSync } from 'node:fs';

/** Bytes kept aside. */
const RESERVE = 1_048_576;
/** Milliseconds between two tries to keep them aside again. */
const RETRY_MS = 1_000;
const BLOCK = Buffer.alloc(65_536);

/**
 * Room on the disk that nothing else may take: a file beside the store. Where a disk is full, not even deleting works,
 * because that is written too. Then the file goes, what frees room can be written, and everything else has to wait until the
 * file could be made again.
 */
export class Room {
  readonly #path: string;
  readonly #log: (line: string) => void;
  #full = false;
  #tried = -Infinity;

  constructor(store: string, log: (line: string) => void) {
    this.#path = reservePath(store);
    this.#log = log;
    if (!this.#reserve()) log(`There is no room for ${this.#path} (${RESERVE} bytes), so a full disk could not be helped by deleting.`);
  }

  /** True while only what frees room may be written. */
  get full(): boolean {
    return this.#full;
  }

  /** Bytes that have to be free before anything else is written again. */
  get bytes(): number {
    return RESERVE;
  }

  /** There was no room for a write. */
  exhausted(): void {
    if (!this.#full)
      this.#log('The disk is full: nothing is written until there is room again. Reading goes on, and what frees room is done.');
    this.#full = true;
    this.#tried = performance.now();
    rmSync(this.#path, { force: true });
  }

  /** Looks, now and then, whether there is room again. */
  regain(): boolean {
    if (!this.#full) return true;
    if (performance.now() - this.#tried < RETRY_MS) return false;
    this.#tried = performance.now();
    if (!this.#reserve()) return false;
    this.#full = false;
    this.#log('There is room on the disk again: writing goes on.');
    return true;
  }

  #reserve(): boolean {
    if (statSync(this.#path, { throwIfNoEntry: false })?.size === RESERVE) return true;
    try {
      const file = openSync(this.#path, 'w', 0o600);
      try {
        for (let n = 0; n < RESERVE; n += BLOCK.length) if (writeSync(file, BLOCK) < BLOCK.length) throw new Error('short write');
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return true;
    } catch {
      rmSync(this.#path, { force: true });
      return false;
    }
  }
}

/** The file that is kept aside for a store. */
export function reservePath(store: string): string {
  return `${store}-reserve`;
}
