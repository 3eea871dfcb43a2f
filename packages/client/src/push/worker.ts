import { servePush } from './serve-push.ts';
import type { PushWorkerScope } from './worker-types.ts';

// The script of a service worker that does nothing but this: bundled into one file that is served as it is.
if ('registration' in globalThis) {
  const scope = globalThis as unknown as PushWorkerScope & { skipWaiting(): Promise<void> };
  servePush(scope);
  // A newer one shows what the older one did: it need not wait until all pages are closed.
  void scope.skipWaiting();
}
