import type { Operation } from '@sitrep/schema';
import type { OperationId } from '../display/tree.ts';

/**
 * The newest operation with this id (and run, if one is named). Text from an attribute also finds a number written the
 * same way, but only where no operation has the text itself as its id.
 */
export function findOperation(operations: readonly Operation[], id: OperationId, run: string | undefined): Operation | undefined {
  const here = (operation: Operation): boolean => run === undefined || operation.run === run;
  return (
    operations.findLast((operation) => operation.id === id && here(operation)) ??
    operations.findLast((operation) => typeof id === 'string' && String(operation.id) === id && here(operation))
  );
}
