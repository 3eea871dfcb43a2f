/** `made` with the name of `of` and as many parameters, at most `most`: what a harness may know a function by. */
export function namedAfter<F extends (...args: never[]) => unknown>(of: (...args: never[]) => unknown, made: F, most: number): F {
  return Object.defineProperties(made, {
    name: { value: of.name, configurable: true },
    length: { value: Math.min(of.length, most), configurable: true },
  });
}
