import type { OperationEvent } from '@sitrep/schema/wire';
import type { Reporter } from '../reporter/types.ts';
import { applyEnd, patchOf } from './apply.ts';
import { firstText } from './messages.ts';
import type { Json } from '../json.ts';

/**
 * How a call ended. That it ended, and whether badly, is what the response says; which end it was is what the server's own
 * last event says, where it sent one, because a response has no word for denied, cancelled or interrupted.
 */
export function endByResult(reporter: Reporter, result: Json, name: string, declared: OperationEvent | undefined): void {
  if (result['isError'] === true) {
    endBadly(reporter, firstText(result) ?? `${name} reported an error.`, 'tool_error', declared);
  } else if (declared === undefined) reporter.complete();
  else applyEnd(reporter, declared);
}

/** The same for an error of the protocol. */
export function endByError(reporter: Reporter, error: Json, declared: OperationEvent | undefined): void {
  endBadly(reporter, error, 'protocol_error', declared);
}

function endBadly(reporter: Reporter, error: unknown, reason: string, declared: OperationEvent | undefined): void {
  if (declared === undefined || declared.state === 'completed') {
    reporter.fail(error, { ...(declared === undefined ? undefined : patchOf(declared)), reason });
  } else if (declared.state === 'failed') {
    reporter.fail(declared.error ?? error, { ...patchOf(declared), reason: declared.reason ?? reason });
  } else applyEnd(reporter, declared);
}
