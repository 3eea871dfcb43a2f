// What runtimes with Node's streams, and with uploads over plain HTTP, do beside the story.
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMemorySink } from '@sitrep/harness';
import { meterFetch } from '@sitrep/harness/meter';
import { createMeterTransform } from '@sitrep/harness/node';

/** How an invocation ended, and with what amount of which total. */
function endOf(sink, kind) {
  const ids = sink.events.filter((event) => event.kind === kind).map(({ id }) => id);
  const own = sink.events.filter(({ id }) => kind === undefined || ids.includes(id));
  const last = own.at(-1);
  return [last?.state, last?.current, own.findLast(({ total }) => total !== undefined)?.total ?? null, last?.reason ?? null];
}

export async function nodeStory({ upload, form, slow }) {
  const answers = [];
  const watched = () => ({ sink: createMemorySink(), session: 's', throttleMs: 0 });

  const piped = watched();
  const got = [];
  const target = new PassThrough().on('data', (part) => got.push(part));
  await pipeline(Readable.from([Buffer.from('héllo'), Buffer.alloc(70_000, 7)]), createMeterTransform({ ...piped, total: 70_006 }), target);
  answers.push([Buffer.concat(got).length, ...endOf(piped.sink)]);

  const broken = watched();
  const failing = Readable.from(
    (async function* () {
      yield Buffer.alloc(4);
      throw new Error('disk');
    })(),
  );
  const error = await pipeline(failing, createMeterTransform(broken), new PassThrough().resume()).catch((thrown) => thrown);
  answers.push([error.message, endOf(broken.sink)[0]]);

  for (const body of ['text é', new Blob(['blob']), new Uint8Array([0, 255, 7]), new URLSearchParams({ a: '1' })]) {
    const sent = watched();
    const fetch = meterFetch({ ...sent, uploads: 'all' });
    const received = await (await fetch(upload, { method: 'POST', body })).json();
    answers.push([received, endOf(sent.sink, 'upload'), endOf(sent.sink, 'download')[0]]);
  }

  const fields = new FormData();
  fields.set('name', 'a value');
  const filled = watched();
  answers.push(
    await (await meterFetch({ ...filled, uploads: 'all' })(form, { method: 'POST', body: fields })).text(),
    endOf(filled.sink, 'upload')[0],
  );

  const stopped = watched();
  const abort = new AbortController();
  const response = await meterFetch(stopped)(slow, { signal: abort.signal });
  const reading = response.text().catch((thrown) => thrown.name);
  abort.abort();
  answers.push([await reading, endOf(stopped.sink)[0]]);
  return answers;
}

/** What every such runtime must answer. */
export const NODE_ANSWERS = [
  [70_006, 'completed', 70_006, 70_006, null],
  ['disk', 'failed'],
  [[7, 'text/plain;charset=utf-8'], ['completed', 7, 7, null], 'completed'],
  [[4, ''], ['completed', 4, 4, null], 'completed'],
  [[3, ''], ['completed', 3, 3, null], 'completed'],
  [[3, 'application/x-www-form-urlencoded;charset=utf-8'], ['completed', 3, 3, null], 'completed'],
  'a value',
  'completed',
  ['AbortError', 'cancelled'],
];
