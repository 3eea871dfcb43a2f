/**
 * An object that is `target` in all but these members: its class, its other members and what is set on it stay. Methods run
 * on the target itself, as those with private fields must, and so do accessors; only what the platform gives every iterator
 * (disposal, helpers) sees the replaced members, because it asks for them by name.
 */
export function inPlaceOf<T extends object>(target: T, members: object): T {
  const bound = new WeakMap<object, unknown>();
  // An iterator without `return` or `throw` must not seem to have one.
  const replaced = new Map(
    Reflect.ownKeys(members)
      .filter((key) => key in target)
      .map((key): [PropertyKey, unknown] => [key, Reflect.get(members, key)]),
  );
  const handler: ProxyHandler<T> = {
    get(_, key) {
      if (replaced.has(key)) return replaced.get(key);
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function' || key === 'constructor' || isFixed(target, key) || isOfEveryIterator(target, key)) return value;
      if (!bound.has(value)) bound.set(value, onTarget(value));
      return bound.get(value);
    },
    set: (_, key, value) => Reflect.set(target, key, value, target),
  };
  // Chained calls that answer the object they were made on stay in place of it.
  function onTarget(method: object): unknown {
    return function called(...given: readonly unknown[]): unknown {
      const answer: unknown =
        new.target === undefined ? Reflect.apply(method as never, target, given) : Reflect.construct(method as never, given);
      return answer === target ? proxy : answer;
    };
  }
  const proxy = [...replaced.keys()].some((key) => isFixed(target, key)) ? forwarded(target, handler) : new Proxy(target, handler);
  return proxy;
}

/** A property that a proxy of its object has to give as it is. */
function isFixed(source: object, key: PropertyKey): boolean {
  const own = Object.getOwnPropertyDescriptor(source, key);
  return own !== undefined && own.configurable === false && own.writable === false;
}

/** A frozen object's members cannot be replaced by a proxy of it, but by one of an empty object of its class. */
function forwarded<T extends object>(target: T, handler: ProxyHandler<T>): T {
  return new Proxy(Object.create(Object.getPrototypeOf(target)) as T, {
    ...handler,
    has: (_, key) => key in target,
    ownKeys: () => Reflect.ownKeys(target),
    getOwnPropertyDescriptor(_, key) {
      const own = Object.getOwnPropertyDescriptor(target, key);
      return own === undefined ? undefined : { ...own, configurable: true };
    },
    defineProperty: (_, key, descriptor) => Reflect.defineProperty(target, key, descriptor),
    deleteProperty: (_, key) => Reflect.deleteProperty(target, key),
  });
}

function classOf(value: unknown): object {
  return Object.getPrototypeOf(value) as object;
}

const ITERATORS: readonly object[] = [classOf(classOf([][Symbol.iterator]())), classOf(classOf(classOf((async function* () {})())))];

function isOfEveryIterator(source: object, key: PropertyKey): boolean {
  let owner: object | null = source;
  while (owner !== null && !Object.hasOwn(owner, key)) owner = Object.getPrototypeOf(owner) as object | null;
  return owner !== null && ITERATORS.includes(owner);
}
