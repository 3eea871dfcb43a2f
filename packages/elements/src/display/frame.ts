let frame: Promise<void> | undefined;
let beat: Promise<void> | undefined;

/** Milliseconds between two renders of something that is scrolled out of sight. */
const OUT_OF_SIGHT = 1000;
/** A hidden page gets no frames; this long after a request it is drawn all the same. */
const NO_FRAME = 250;

/** Resolves at the next frame. Everything that waits shares one request. */
export function nextFrame(): Promise<void> {
  return (frame ??= new Promise((resolve) => {
    const done = (): void => {
      cancelAnimationFrame(request);
      clearTimeout(timer);
      frame = undefined;
      resolve();
    };
    const request = requestAnimationFrame(done);
    const timer = setTimeout(done, NO_FRAME);
  }));
}

/** Resolves about once a second, for what nobody can see at the moment. */
export function nextBeat(): Promise<void> {
  return (beat ??= new Promise((resolve) =>
    setTimeout(() => {
      beat = undefined;
      resolve();
    }, OUT_OF_SIGHT),
  ));
}
