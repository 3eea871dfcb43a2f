const pending = new Map<number, Promise<void>>();

/** Everything that waits for the same shares one promise, and so one timer or frame. */
function shared(key: number, begin: (resolve: () => void) => void): Promise<void> {
  let promise = pending.get(key);
  if (!promise) {
    promise = new Promise<void>(begin).then(() => void pending.delete(key));
    pending.set(key, promise);
  }
  return promise;
}

/** Resolves in `ms` milliseconds at most, together with everything else that waits that long. */
export const beat = (ms: number): Promise<void> => shared(ms, (resolve) => setTimeout(resolve, ms));

/** Resolves at the next frame; on a page that gets no frames because it is hidden, a moment later. */
export const nextFrame = (): Promise<void> =>
  shared(0, (resolve) => {
    requestAnimationFrame(() => resolve());
    setTimeout(resolve, 250);
  });
