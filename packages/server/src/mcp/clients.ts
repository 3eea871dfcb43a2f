import type { ToolAnswer, ToolName } from '@sitrep/harness/tools';
import type { HeaderSource } from './connection.ts';
import { openConnection } from './connection.ts';
import type { Connection } from './connection.ts';
import { derivedSession, derivedTitle } from './names.ts';
import type { ClientName } from './names.ts';

/** Where clients write. */
export interface ClientsOptions {
  /** Address of the gateway. */
  readonly url: string;
  /** Headers for it: a token. */
  readonly headers?: HeaderSource | undefined;
  /** The session of every client. Default: one of its own for each, named after the folder and the client. */
  readonly session?: string | undefined;
  /** The folder that stands in the names. */
  readonly folder: string;
  readonly warn: (message: string) => void;
  /** Told the session of each client. */
  readonly opened?: ((session: string) => void) | undefined;
}

/** One client: its connection is opened with its first call, when it is known who it is. */
export interface Client {
  call(name: ToolName, input: unknown, client: ClientName): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/**
 * Makes clients. `session` beats the one of all; `unique` false gives two clients of the same name the same session, for
 * a transport that cannot tell them apart.
 */
export function createClient(options: ClientsOptions, own: { session?: string | undefined; unique?: boolean } = {}): Client {
  let connection: Connection | undefined;
  const opened = (client: ClientName): Connection => {
    const { url, headers, folder, warn } = options;
    const given = own.session ?? options.session;
    const session = given ?? derivedSession(folder, client, own.unique);
    options.opened?.(session);
    return openConnection({ url, headers, session, title: given === undefined ? derivedTitle(folder, client) : undefined, warn });
  };
  return {
    call(name, input, client) {
      connection ??= opened(client);
      return connection.call(name, input);
    },
    async close() {
      await connection?.close();
    },
  };
}
