/** The worker of the test of many tabs: has the connection for all of them. */
import { createSseSource, serveSharedWorker } from '@sitrep/client';
import type { SharedWorkerScope } from '@sitrep/client';

serveSharedWorker(self as unknown as SharedWorkerScope, { source: createSseSource({ url: '/v1/sessions/s/stream' }) });
