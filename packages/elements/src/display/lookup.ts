import type { Operation, Run } from '@sitrep/schema';

/** Identifier of an operation. Its type counts: `7` is not `"7"`. */
export type OperationId = Operation['id'];

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

/** The run with this key. */
export function findRun(runs: readonly Run[], key: string | undefined): Run | undefined {
  return key === undefined ? undefined : runs.findLast((run) => run.run === key);
}
