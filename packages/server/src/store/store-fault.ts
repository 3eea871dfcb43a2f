/**
 * Why a store could not do what it was asked: there is no room (`full`), it was damaged and begun anew (`lost`), or it may not
 * be written to any more (`read_only`). Told by its name, never by its class: it may come from another copy of this package.
 */
export class StoreFault extends Error {
  readonly reason: 'full' | 'lost' | 'read_only';

  constructor(reason: StoreFault['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
    this.reason = reason;
  }
}

/** The reason of a StoreFault of whatever copy of this package; undefined for any other error. */
export function faultReason(error: unknown): StoreFault['reason'] | undefined {
  const fault = error as StoreFault | null;
  return fault?.name === 'StoreFault' ? fault.reason : undefined;
}
