import type { Context } from 'hono';
import type { Grant } from '../auth/grant.ts';
import type { GatewayCore } from '../gateway/gateway.ts';
import type { Subscriber } from '../gateway/read/hub.ts';
import { EXPIRED } from '../gateway/read/paced-reader.ts';
import type { PacedReaderOptions } from '../gateway/read/paced-reader.ts';
import type { Access } from './access.ts';
import type { GatewayEnv } from './types.ts';

/** A reader over the network that wants to come in. */
export interface Arrival {
  readonly session: string;
  /** The position to go on from. */
  readonly cursor: string | undefined;
  readonly grant: Grant | undefined;
  readonly reader: Subscriber;
  /** Calls back once the connection is closed. */
  onClose(left: () => void): void;
  /** True once it is. */
  isClosed(): boolean;
}

/** What every reader over the network is held to. */
export function pacing(core: GatewayCore, session: string, grant: Grant | undefined): PacedReaderOptions {
  const { clientBufferLimit: bufferLimit, slowClientMs: slowMs, log } = core.options;
  return {
    bufferLimit,
    slowMs,
    expiresAt: grant?.expiresAt,
    counts: core.stats.slow,
    catchUp: (slow, mark, after) => {
      core
        .catchUp(session, slow, mark, after)
        .catch((error: unknown) => log(`A slow stream could not catch up: ${(error as Error).message}`));
    },
  };
}

/**
 * Begins a stream: counts it for its address, ends it with its token, and takes the reader out when its connection closes.
 *
 * @throws GatewayError when no more readers are let in
 */
export async function letIn(c: Context<GatewayEnv>, core: GatewayCore, access: Access, arrival: Arrival): Promise<void> {
  const { session, cursor, grant, reader } = arrival;
  const leave = access.countStream(c);
  const keep = grant && access.deadlines.add(grant.expiresAt, () => reader.close(EXPIRED));
  arrival.onClose(() => {
    leave();
    keep?.();
    core.detach(session, reader);
  });
  try {
    await core.attach(session, cursor, reader);
  } catch (error) {
    leave();
    keep?.();
    throw error;
  }
  if (arrival.isClosed()) core.detach(session, reader);
}
