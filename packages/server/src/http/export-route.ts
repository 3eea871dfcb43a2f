import type { Context } from 'hono';
import type { GatewayCore } from '../gateway/gateway.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { exportLines } from '../transfer/export.ts';
import type { Access } from './access.ts';
import type { GatewayEnv } from './types.ts';

/**
 * What is kept of sessions, one JSON object a line, for an administrator: of those in `?session=`, which the token must reach,
 * or of all. An export that ends without its last line is not whole.
 */
export async function exportRoute(c: Context<GatewayEnv>, core: GatewayCore, access: Access): Promise<Response> {
  const sessions = c.req.queries('session');
  if (sessions === undefined) await access.permitAdmin(c);
  else for (const session of sessions) await access.permit(c, 'admin', session);
  const { store, clock, log } = core.options;
  const lines = exportLines(store, { sessions, at: clock.now() });
  // Before anything is sent, so that a session that is not there can still be answered in words.
  const first = await lines.next().catch((error: Error) => {
    if (error.message.startsWith('There is no session')) throw new GatewayError('not_found', error.message);
    throw error;
  });
  const encoder = new TextEncoder();
  let pending: string | undefined = first.done ? undefined : first.value;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (pending !== undefined) {
          controller.enqueue(encoder.encode(pending));
          pending = undefined;
          return;
        }
        const next = await lines.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        log(`An export broke off: ${(error as Error).message}`);
        controller.error(error);
      }
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return c.body(body, 200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
}
