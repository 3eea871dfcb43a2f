import { parentPort, workerData } from 'node:worker_threads';
import { runModel } from './run.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
parentPort?.postMessage(await runModel(workerData as { readonly commands: number; readonly seed: number }));
