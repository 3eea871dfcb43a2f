/**
 * Who decides whether details are open: the reader's own toggle, for as long as the element lives; before that the
 * page's `open`; before that the state itself, for what has ended opens and what goes on stays closed.
 */
export class Disclosure {
  #reader: boolean | undefined;

  /** Whether it is open now. */
  isOpen(author: boolean | undefined, ended: boolean): boolean {
    return this.#reader ?? author ?? ended;
  }

  /** The reader opened or closed it. */
  decide(open: boolean): void {
    this.#reader = open;
  }
}

/** `open` as an attribute: absent leaves it to the state, `open="false"` keeps it closed, anything else opens it. */
export const openAttribute = {
  attribute: 'open',
  converter: { fromAttribute: (value: string | null): boolean | undefined => (value === null ? undefined : value !== 'false') },
};
