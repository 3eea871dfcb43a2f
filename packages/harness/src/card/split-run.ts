import type { CardWrite } from './card-writer.ts';

/**
 * The run of a write and its closed body, apart, neither of them checked yet. A value that is no object, or throws when
 * it is read, is a body without a run: the check of the body says what is wrong with it.
 */
export function splitRun(write: CardWrite): { readonly run: unknown; readonly body: unknown } {
  try {
    if (typeof write !== 'object' || write === null || Array.isArray(write)) return { run: undefined, body: write };
    const { run, ...body } = write;
    return { run, body };
  } catch {
    return { run: undefined, body: write };
  }
}
