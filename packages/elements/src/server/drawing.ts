import type { Snapshot } from '@sitrep/schema';

/** What one rendering goes by. */
export interface Drawing {
  /** Whether it draws this element. */
  draws(tag: string): boolean;
  /** Language of what says none itself. */
  readonly lang: string;
  /** The time it is taken to be, epoch milliseconds. */
  readonly now: number;
  /** Of the `style` elements, where the page's content security policy asks for one. */
  readonly nonce: string | undefined;
  /** The session at an address, as the page writes it; a promise until it is there, undefined where there is none. */
  session(address: string): Snapshot | Promise<unknown> | undefined;
}
