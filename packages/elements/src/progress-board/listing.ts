import { sessions } from '../display/session-link.ts';
import type { SessionList } from '../display/session-link.ts';

/** A gateway's list of sessions, looked at again and again while an address is watched. */
export class Listing {
  /** What was listed last; undefined before the first list. */
  listed: SessionList['sessions'];
  #error: string | undefined;
  readonly #changed: () => void;
  #address: string | undefined;
  #leave: (() => void) | undefined;

  /** `changed` is called when there is something else to show. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Why the list cannot be read, for the reader. */
  get error(): string | undefined {
    return this.#error ?? (this.listed ? undefined : sessions.error);
  }

  /** Watches the list at an absolute address; nothing without one. */
  watch(address: string | undefined): void {
    if (address === this.#address) return;
    this.#leave?.();
    this.#leave = undefined;
    this.#address = address;
    if (address) void this.#begin(address);
  }

  /** Reads the list again, also after what is final. */
  again(): void {
    const address = this.#address;
    sessions.error = this.#error = undefined;
    this.watch(undefined);
    this.watch(address);
    this.#changed();
  }

  async #begin(address: string): Promise<void> {
    if (!sessions.list) {
      await sessions.load().catch(() => {
        sessions.error = 'The code that connects could not be loaded.';
      });
    }
    // Whoever came and went meanwhile may be watching already.
    if (this.#address !== address || this.#leave) return;
    this.#leave = sessions.list?.(address, ({ sessions: listed, error }) => {
      this.#error = error;
      this.listed = listed ?? this.listed;
      this.#changed();
    });
    this.#changed();
  }
}
