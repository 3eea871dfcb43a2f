import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';
import type { RawClientDispatch } from '@modelcontextprotocol/ext-tasks/client';
import type { Client, Transport } from '@modelcontextprotocol/client';

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
};

interface Answer {
  readonly id?: unknown;
  readonly result?: never;
  readonly error?: never;
}

/**
 * A session of the extension's own client. The SDK's client refuses results that are tasks, so the extension wants a way
 * past it: requests with ids of their own over the same, tapped transport.
 */
export function taskSession(client: Client, transport: Transport) {
  const waiting = new Map<string, (answer: Answer) => void>();
  const next = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const { id } = message as Answer;
    const settle = typeof id === 'string' ? waiting.get(id) : undefined;
    if (settle === undefined) return next?.(message, extra);
    waiting.delete(id as string);
    settle(message as Answer);
  };
  const rawDispatch: RawClientDispatch = (request) =>
    new Promise((resolve, reject) => {
      const id = `task-${waiting.size}-${Math.random()}`;
      waiting.set(id, ({ result, error }) =>
        resolve(error === undefined ? { kind: 'result', result: result as never } : { kind: 'error', error }),
      );
      transport.send({ ...(request as object), jsonrpc: '2.0', id } as never).catch(reject);
    });
  const session = createTaskSessionFromClient(client, {
    endpointId: 'peer-v2',
    rawDispatch,
    v2RequestFraming: {
      protocolVersion: ENVELOPE['io.modelcontextprotocol/protocolVersion'],
      clientInfo: ENVELOPE['io.modelcontextprotocol/clientInfo'],
      clientCapabilities: { elicitation: {} },
    },
  } as Parameters<typeof createTaskSessionFromClient>[1]);
  /** Asks once more how a task stands, as a host does that looks at its list. */
  const get = (taskId: string): Promise<unknown> => rawDispatch({ method: 'tasks/get', params: { taskId, _meta: ENVELOPE } });
  /** Calls a tool and leaves what becomes of it to the server's notices. */
  const callOnly = (name: string, label: string): Promise<unknown> =>
    rawDispatch({ method: 'tools/call', params: { name, arguments: { label }, _meta: ENVELOPE } });
  return { session, get, callOnly };
}
