import { isObject, isText } from '../../check/guards.ts';
import type { Issue } from '../../check/issue.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { BlockedKind } from '../../wire/states.ts';
import { readText } from '../reading.ts';

/** Requests looked at; one task has a handful. */
const MOST = 50;

/**
 * Whom the requests of a task wait on. The first that only a person can answer names what is asked; where there is none, the
 * host's machine answers and nobody is called. Without any request to read it is a question like any other.
 */
export function askedOf(
  requests: unknown,
  words: string | undefined,
  path: string,
  mended: Issue[],
): Pick<OperationEvent, 'state' | 'message' | 'blockedOn' | 'waitingOn'> {
  const entries = isObject(requests) ? Object.entries(requests).slice(0, MOST) : [];
  const asked = entries.find(([, request]) => !isForMachine(request));
  if (asked === undefined && entries.length > 0) return { state: 'waiting', waitingOn: words === undefined ? {} : { text: words } };
  const params = paramsOf(asked?.[1]);
  const question = readText(params['message'], LIMITS.message, `${path}/message`, mended);
  const prompt = question ?? words;
  const requestId = isText(asked?.[0], 1, LIMITS.id) ? asked[0] : undefined;
  return {
    state: 'blocked',
    ...(question === undefined || words === undefined ? undefined : { message: words }),
    blockedOn: {
      kind: kindOf(params),
      ...(prompt === undefined ? undefined : { prompt }),
      ...(requestId === undefined ? undefined : { requestId }),
    },
  };
}

/** True when one of the requests holds this text. */
export function isAsked(requests: unknown, text: string): boolean {
  return (isObject(requests) ? Object.values(requests).slice(0, MOST) : []).some((request) => paramsOf(request)['message'] === text);
}

function isForMachine(request: unknown): boolean {
  return isObject(request) && (request['method'] === 'sampling/createMessage' || request['method'] === 'roots/list');
}

function paramsOf(request: unknown): Readonly<Record<string, unknown>> {
  return isObject(request) && isObject(request['params']) ? request['params'] : {};
}

/** An address to open is how a person signs in; a form that only asks yes or no is how one allows. */
function kindOf(params: Readonly<Record<string, unknown>>): BlockedKind {
  if (params['mode'] === 'url') return 'auth';
  const schema = params['requestedSchema'];
  const fields = isObject(schema) && isObject(schema['properties']) ? Object.values(schema['properties']) : undefined;
  if (fields === undefined || fields.length > 1) return 'question';
  const [field] = fields;
  return field === undefined || (isObject(field) && field['type'] === 'boolean') ? 'permission' : 'question';
}
