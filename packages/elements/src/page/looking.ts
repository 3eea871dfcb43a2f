/** Name of the lock that is held by every tab in which somebody looks at the session. */
const nameOf = (session: string): string => `sitrep looking at ${session}`;
const locksOf = (): LockManager | undefined => (navigator as { readonly locks?: LockManager }).locks;

/** Lets the other tabs of this browser know that somebody looks at a session here. Without locks they do not. */
export class Looking {
  #session: string | undefined;
  #release: (() => void) | undefined;

  /** At which session somebody looks from now on; undefined for none. */
  at(session: string | undefined): void {
    if (session === this.#session) return;
    this.#session = session;
    this.#release?.();
    this.#release = undefined;
    if (session === undefined) return;
    const end = new Promise<void>((resolve) => (this.#release = resolve));
    locksOf()
      ?.request(nameOf(session), { mode: 'shared' }, () => end)
      .catch(() => undefined);
  }
}

/** True while somebody looks at the session in a tab of this browser. */
export async function isLookedAt(session: string): Promise<boolean> {
  try {
    return ((await locksOf()?.query())?.held ?? []).some(({ name }) => name === nameOf(session));
  } catch {
    return false;
  }
}
