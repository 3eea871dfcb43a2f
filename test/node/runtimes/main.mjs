// oxlint-disable unicorn/require-post-message-target-origin -- a worker has no origin to name.
// Runs the story and prints its answers as one line: `main.mjs <json>`, with `"worker": true` in a worker of this runtime.
import { story } from './story.mjs';

const task = JSON.parse(process.argv.at(-1));
const runtime = globalThis.Bun
  ? `bun ${globalThis.Bun.version}`
  : globalThis.Deno
    ? `deno ${globalThis.Deno.version.deno}`
    : `node ${process.versions.node}`;

async function inWorker() {
  if (!globalThis.Worker) {
    const { Worker } = await import('node:worker_threads');
    const worker = new Worker(new URL('thread.mjs', import.meta.url), { workerData: task });
    return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  }
  const worker = new Worker(new URL('worker.mjs', import.meta.url), { type: 'module' });
  const answer = await new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }) => resolve(data), { once: true });
    worker.addEventListener('error', (event) => reject(new Error(event.message)), { once: true });
    worker.postMessage(task);
  });
  worker.terminate();
  return answer;
}

async function onMain() {
  const { nodeStory } = await import('./node-story.mjs');
  return { ...(await story(task)), beside: await nodeStory(task) };
}

console.log(JSON.stringify({ runtime, ...(task.worker ? await inWorker() : await onMain()) }));
