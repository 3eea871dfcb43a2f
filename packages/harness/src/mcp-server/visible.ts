import { mcpProgressAmounts } from '@sitrep/schema/dialect/mcp';
import type { McpProgressAmounts } from '@sitrep/schema/dialect/mcp';
import type { OperationEvent } from '@sitrep/schema/wire';

/** How much a value is raised that must rise although nothing was done. */
const STEP = 1e-6;

/**
 * The numbers a caller sees of one call. The protocol wants the value to rise with every notification; a repeated value or a
 * fallen one is raised by a millionth of its unit. Where the tool has no amounts the value only says that something was said,
 * in the same small steps from 0, so that no later amount falls short of it. A raised value above the total goes without it.
 */
export class VisibleAmounts {
  #known: OperationEvent | undefined;
  #highest: number | undefined;

  /** The numbers after an event of the call; undefined when no number is left above the last. */
  after(event: OperationEvent): McpProgressAmounts | undefined {
    this.#known = { ...this.#known, ...event };
    return this.again();
  }

  /** The numbers once more, for an event of something inside the call. */
  again(): McpProgressAmounts | undefined {
    const { progress, ...beside } = this.#known === undefined ? { progress: 0 } : mcpProgressAmounts(this.#known);
    const { current, fraction } = this.#known ?? {};
    const counts = typeof current === 'number' || typeof fraction === 'number';
    const value = counts ? progress : (this.#highest ?? 0);
    const risen = this.#highest === undefined || value > this.#highest ? value : above(this.#highest);
    if (!Number.isFinite(risen)) return undefined;
    this.#highest = risen;
    const { total, ...rest } = beside;
    // A raised value is no part of a total that has become smaller: 100.000001 of 5 would be read as 2,000 %.
    return { progress: risen, ...(total === undefined || (risen !== value && risen > total) ? undefined : { total }), ...rest };
  }
}

/** The next value that reads the same to a person; for values too large for the step the next there is. */
function above(value: number): number {
  const next = Number((value + STEP).toFixed(6));
  return next > value ? next : value + Math.abs(value) * Number.EPSILON;
}
