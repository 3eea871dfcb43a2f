/** Something that elements can do, and that comes apart: with the first element that needs it, or with the first quiet moment. */
export interface Part<T> {
  /** What it brings, once it is here. */
  here?: T;
  /** Resolves when it is here, or could not be had; then it is asked for once more with the next need. */
  come(): Promise<unknown>;
}

const parts: Part<unknown>[] = [];
/** What is wanted in the first quiet moment. */
const soon: Part<unknown>[] = [];
/** How long to leave alone what could not be had, milliseconds. */
const PAUSE = 5_000;

/** A part that `load` gets. `inQuiet` is for what has to be there when the network is not: it is loaded once what is there is drawn. */
export function part<T>(load: () => Promise<T>, inQuiet?: boolean): Part<T> {
  let coming: Promise<unknown> | undefined;
  const one: Part<T> = {
    come: () =>
      (coming ??= load().then(
        (it) => (one.here = it),
        () => setTimeout(() => (coming = undefined), PAUSE),
      )),
  };
  parts.push(one);
  if (inQuiet) soon.push(one);
  return one;
}

/** Loads all of them: where everything is drawn at once, nothing can come later. */
export const allParts = (): Promise<unknown> => Promise.all(parts.map((one) => one.come()));

/** How long what is drawn has the browser to itself, milliseconds. */
const QUIET = 2_000;

/** An element has been drawn: what is wanted in any case is loaded when everything else has been. */
export function afterDrawing(): void {
  const wanted = soon.splice(0);
  if (wanted.length > 0) setTimeout(() => wanted.forEach((one) => void one.come()), QUIET);
}
