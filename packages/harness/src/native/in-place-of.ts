/**
 * An object that is `target` in all but these members: its class, its other members and what is set on it stay. With
 * `bound`, methods run on the target itself, as those with private fields must; without, they see the replaced members.
 */
export function inPlaceOf<T extends object>(target: T, members: object, methods?: 'bound'): T {
  return new Proxy(target, {
    get(source, key) {
      const replaced: unknown = Object.hasOwn(members, key) ? Reflect.get(members, key) : undefined;
      // An iterator without `return` or `throw` must not seem to have one.
      if (replaced !== undefined && key in source) return replaced;
      const value: unknown = Reflect.get(source, key, source);
      if (methods !== 'bound' || typeof value !== 'function' || key === 'constructor' || isFixed(source, key)) return value;
      return value.bind(source) as unknown;
    },
  });
}

/** A property that a proxy has to give as it is. */
function isFixed(source: object, key: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(source, key);
  return own !== undefined && own.configurable === false && own.writable === false;
}
