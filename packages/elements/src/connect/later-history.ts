import type { History } from '@sitrep/client';

/** Keeps nothing until somebody wants to look back; the code for it comes then. */
export class LaterHistory implements History {
  #kept: History | undefined;
  #comes = false;

  /** Keeps what happens from now on. */
  readonly keep = (): void => {
    if (this.#comes) return;
    this.#comes = true;
    import('@sitrep/client/history').then(
      ({ createHistory }) => (this.#kept = createHistory()),
      () => (this.#comes = false),
    );
  };

  get window(): History['window'] {
    return this.#kept?.window;
  }

  get size(): number {
    return this.#kept?.size ?? 0;
  }

  at(...which: Parameters<History['at']>): ReturnType<History['at']> {
    return this.#kept?.at(...which);
  }

  begin(...from: Parameters<History['begin']>): void {
    this.#kept?.begin(...from);
  }

  push(...event: Parameters<History['push']>): void {
    this.#kept?.push(...event);
  }
}
