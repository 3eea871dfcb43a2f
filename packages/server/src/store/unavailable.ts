/**
 * A store that cannot be reached at the moment. Told by its name, never by its class: it may come from another copy of this
 * package.
 */
export class StoreUnavailable extends Error {
  /** True when it is not known whether what was asked for was done; false when it was not. */
  readonly inDoubt: boolean;

  constructor(message: string, options: ErrorOptions & { readonly inDoubt?: boolean } = {}) {
    super(message, options);
    this.name = 'StoreUnavailable';
    this.inDoubt = options.inDoubt ?? false;
  }
}

/** True for a StoreUnavailable of whatever copy of this package. */
export function isUnavailable(error: unknown): error is StoreUnavailable {
  return (error as { name?: unknown } | null)?.name === 'StoreUnavailable';
}
