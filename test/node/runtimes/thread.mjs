// oxlint-disable unicorn/require-post-message-target-origin -- a worker has no origin to name.
// The story in a thread of Node.
import { parentPort, workerData } from 'node:worker_threads';
import { story } from './story.mjs';

parentPort.postMessage(await story(workerData));
