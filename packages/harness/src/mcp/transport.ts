/**
 * What an MCP transport looks like to the tap: both official SDKs' transports fit, and so does any object of this
 * shape. Parameters are `never` so that every more exact handler type fits too.
 */
export interface McpTransportLike {
  send(message: never, ...rest: never[]): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never, ...rest: never[]) => void) | undefined;
  onclose?: (() => void) | undefined;
}

type Handler = (this: unknown, ...args: unknown[]) => unknown;

function findDescriptor(target: object, key: string): PropertyDescriptor | undefined {
  for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

/** Stands in front of a handler; `next` calls it, with other arguments if any are given. */
type Around = (args: readonly unknown[], next: (changed?: readonly unknown[]) => unknown) => unknown;

/**
 * Puts `around` in front of whatever handler sits, now or later, in the property `key`; `next` calls that handler
 * exactly as it would have been called, with the same `this` and arguments. A property that was empty still reads as
 * empty, so that a transport which waits for a handler goes on waiting.
 */
export function interceptHandler(target: object, key: string, around: Around): void {
  const found = findDescriptor(target, key);
  const inherited = found?.get !== undefined || found?.set !== undefined ? found : undefined;
  let stored: unknown;

  const wrap = (handler: unknown): unknown => {
    if (typeof handler !== 'function') return handler;
    return function (this: unknown, ...args: unknown[]): unknown {
      return around(args, (changed = args) => Reflect.apply(handler as Handler, this, [...changed]));
    };
  };
  const read = (): unknown => (inherited === undefined ? stored : inherited.get?.call(target));
  const write = (handler: unknown): void => {
    if (inherited === undefined) stored = wrap(handler);
    else inherited.set?.call(target, wrap(handler));
  };

  const present = inherited === undefined ? found?.value : read();
  define(target, key, { configurable: true, enumerable: true, get: read, set: write });
  if (present !== undefined) write(present);
}

/** Replaces a method by one that is handed the original, bound to the target. */
export function interceptMethod(target: object, key: string, make: (original: Handler) => Handler): void {
  const original: unknown = (target as Record<string, unknown>)[key];
  if (typeof original !== 'function')
    throw new TypeError(`The transport has no ${key}() to tap; hand over the transport itself, before or after connecting.`);
  const bound: Handler = (...args) => Reflect.apply(original as Handler, target, args);
  define(target, key, { configurable: true, enumerable: false, writable: true, value: make(bound) });
}

function define(target: object, key: string, descriptor: PropertyDescriptor): void {
  if (!Reflect.defineProperty(target, key, descriptor)) {
    throw new TypeError(`The transport's ${key} cannot be tapped because the object is frozen; tap it before it is frozen.`);
  }
}
