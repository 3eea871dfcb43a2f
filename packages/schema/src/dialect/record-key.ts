/** One name for each record of ours, for peers that keep what we send under an id and replace it by that id. */
import { LIMITS } from '../wire/limits.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { Id } from '../wire/scalars.ts';

const OPERATION = 'sitrep:operation:';

/** Where an event belongs: always the same for the same record, and another one for any other. */
export function recordKey(event: ProgressEvent): string {
  if (event.type === 'operation' || event.type === 'operation.clear') return operationKey(event.id, event.run);
  return event.type === 'run' ? `sitrep:run:${event.run}` : `sitrep:${event.type}`;
}

/** The key of an operation. Reversible, so that what changed of it can be read without a memory. */
export function operationKey(id: Id, run: string | undefined): string {
  return OPERATION + JSON.stringify(run === undefined ? [id] : [id, run]);
}

/** The operation a key names; undefined for any other text. */
export function operationOfKey(key: string | undefined): { readonly id: Id; readonly run?: string } | undefined {
  if (key === undefined || !key.startsWith(OPERATION) || key.length > 8 * LIMITS.id) return undefined;
  try {
    const [id, run] = JSON.parse(key.slice(OPERATION.length)) as [Id, string?];
    return run === undefined ? { id } : { id, run };
  } catch {
    return undefined;
  }
}
