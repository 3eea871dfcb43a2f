import { GatewayError } from '../gateway/gateway-error.ts';

/** How many streams each address has open. */
export class AddressCount {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts one more until the returned function is called, for the first time.
   *
   * @throws GatewayError `too_many_streams`
   */
  enter(address: string): () => void {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#limit) {
      throw new GatewayError(
        'too_many_streams',
        `One address may have at most ${this.#limit} streams open. Close some or try again later.`,
      );
    }
    this.#counts.set(address, count + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.#counts.get(address) ?? 1) - 1;
      if (now > 0) this.#counts.set(address, now);
      else this.#counts.delete(address);
    };
  }
}
