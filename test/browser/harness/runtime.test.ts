// oxlint-disable unicorn/require-post-message-target-origin -- a worker has no origin to name.
import { expect } from '@open-wc/testing';
import { EXPECTED_OPERATIONS, expectedAnswers, operationsOf, story } from '../../node/runtimes/story.mjs';

const FILE = new URL('../../fixtures/live-run.ndjson', import.meta.url).href;

interface Answer {
  readonly answers?: readonly unknown[];
  readonly error?: string;
}

async function gatewayUrl(): Promise<string> {
  return ((await (await fetch('/gateway.json')).json()) as { url: string }).url;
}

/** What the gateway shows of a session, once it was told. */
async function shown(gateway: string, session: string): Promise<unknown> {
  const size = (await (await fetch(FILE)).arrayBuffer()).byteLength;
  return operationsOf(await (await fetch(`${gateway}/v1/sessions/${session}`)).json(), size);
}

function inWorker(task: object): Promise<Answer> {
  const worker = new Worker(new URL('../../node/runtimes/worker.mjs', import.meta.url), { type: 'module' });
  return new Promise<Answer>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message)), { once: true });
    worker.postMessage(task);
  }).finally(() => worker.terminate());
}

describe('the harness in a browser', () => {
  it('tells the same story on a page, through a real gateway of another origin', async () => {
    const gateway = await gatewayUrl();
    const session = `page-${crypto.randomUUID()}`;
    const { answers } = (await story({ gateway, session, file: FILE })) as Answer;
    expect(answers).to.deep.equal(expectedAnswers(false));
    expect(await shown(gateway, session)).to.deep.equal(EXPECTED_OPERATIONS);
  });

  it('tells it in a web worker', async () => {
    const gateway = await gatewayUrl();
    const session = `worker-${crypto.randomUUID()}`;
    const { answers, error } = await inWorker({ gateway, session, file: FILE });
    expect(error).to.equal(undefined);
    expect(answers).to.deep.equal(expectedAnswers(false));
    expect(await shown(gateway, session)).to.deep.equal(EXPECTED_OPERATIONS);
  });
});
