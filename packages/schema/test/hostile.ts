/** A member that throws when it is read, for `Object.defineProperty`. */
export const unreadable: PropertyDescriptor = {
  enumerable: true,
  get() {
    throw new Error('not to be read');
  },
};

/** An object that throws whatever is done with it. */
export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
