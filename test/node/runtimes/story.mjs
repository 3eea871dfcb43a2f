// What a harness does, told once and run under every runtime: plain JavaScript, so that nothing has to be compiled for it.
import { createHttpSink, createReporter, currentReporter, progressCardTool, reportProgressTool, track, wrapTool } from '@sitrep/harness';
import { createHttpCardWriter } from '@sitrep/harness';
import { createMeterStream, meterFetch, meterReadable } from '@sitrep/harness/meter';
import { addSample, estimate } from '@sitrep/schema/select';

const bytes = (count) => new Uint8Array(count).fill(7);

/** A stream that gives these chunks. */
function streamOf(...chunks) {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
}

async function lengthOf(stream) {
  return (await new Response(stream).arrayBuffer()).byteLength;
}

/**
 * Runs the story against a gateway and answers what became of it. `follows` says whether the current reporter follows an
 * `await` here. The file at `file` is downloaded through the fetch meter.
 */
export async function story({ gateway, session, file }) {
  const sink = createHttpSink({ url: gateway, session, batchMs: 5 });
  const common = { sink, session, run: 'turn-1', throttleMs: 0 };
  const answers = [];

  const turn = createReporter({ ...common, id: 'turn', title: 'Turn' });
  await turn.track(async (outer) => {
    const follows = (answers.push(currentReporter() === outer), await Promise.resolve(), currentReporter() === outer);
    answers.push(follows);
    // Where the context does not follow, the parent is handed on.
    const parent = follows ? undefined : outer;
    const scan = wrapTool(
      async ({ files }, _context, reporter) => {
        for (let current = 1; current <= files; current += 1) {
          await Promise.resolve();
          reporter.update({ current, total: files, unit: 'files' });
        }
        return { files };
      },
      (_input, { callId }) => ({ ...common, id: callId, parent, tool: { name: 'scan', origin: 'native' } }),
    );
    answers.push(await Promise.all([scan({ files: 2 }, { callId: 'scan-a' }), scan({ files: 3 }, { callId: 'scan-b' })]));

    let sum = 0;
    for (const item of track([1, 2, 3], { ...common, id: 'loop', parent, unit: 'rows' })) sum += item;
    async function* rows() {
      yield 1;
      yield 2;
      return 'end';
    }
    for await (const item of track(rows(), { ...common, id: 'async-loop', parent })) {
      sum += item;
      if (item === 2) break;
    }
    answers.push(sum);

    const readable = meterReadable(streamOf(bytes(10), bytes(5)), { ...common, id: 'read', parent, total: 15 });
    const through = streamOf(bytes(4), bytes(4)).pipeThrough(createMeterStream({ ...common, id: 'pipe', parent }));
    answers.push(await lengthOf(readable), await lengthOf(through));
    const stopped = meterReadable(streamOf(bytes(10), bytes(5)), { ...common, id: 'stopped', parent }).getReader();
    await stopped.read();
    await stopped.cancel();

    const download = meterFetch({ ...common, parent, title: 'Download' });
    const text = await (await download(file)).text();
    const plain = await (await fetch(file)).text();
    answers.push(text === plain && text.length > 0);

    const waiting = createReporter({ ...common, id: 'waiting', parent });
    waiting.wait('the lock');
    waiting.resume();
    waiting.deny('policy');
    answers.push(waiting.update({ current: 1 }));

    const undone = createReporter({ ...common, id: 'undone', parent });
    if (typeof Symbol.dispose === 'symbol') undone[Symbol.dispose]();
    else undone.interrupt('disposed');
  });

  const cards = createHttpCardWriter({ url: gateway });
  const context = { session, run: 'turn-1', sink, cards, callId: 'report' };
  const plan = [
    { step: 'Scan', status: 'completed' },
    { step: 'Write', status: 'in_progress' },
  ];
  answers.push((await progressCardTool.handle({ plan }, context)).text);
  answers.push((await reportProgressTool.handle({ title: 'Build', current: '5', total: 100 }, context)).text);

  let samples = [];
  for (let second = 0; second < 10; second += 1) samples = addSample(samples, { at: second * 1000, current: second, total: 100 });
  answers.push(estimate(samples, 9000).confident);

  await sink.flush();
  const { pending, dropped } = sink.stats;
  await sink.close();
  answers.push([pending, dropped]);
  return { follows: answers[1], answers };
}

/** What every runtime must answer. Where the context does not follow, the second answer is false. */
export function expectedAnswers(follows) {
  return [
    true,
    follows,
    [{ files: 2 }, { files: 3 }],
    9,
    15,
    8,
    true,
    'late',
    'Progress card updated (rev 1, 1/2 done)',
    'Progress reported (5 of 100, running)',
    true,
    [0, 0],
  ];
}

/** What the gateway must show of it: state, amounts, parent and why. The download's id is its own. */
export const EXPECTED_OPERATIONS = {
  turn: ['completed', null, null, null, null],
  'scan-a': ['completed', 2, 2, 'turn', null],
  'scan-b': ['completed', 3, 3, 'turn', null],
  loop: ['completed', 3, 3, 'turn', null],
  'async-loop': ['interrupted', 1, null, 'turn', 'stopped_early'],
  read: ['completed', 15, 15, 'turn', null],
  pipe: ['completed', 8, null, 'turn', null],
  stopped: ['cancelled', 10, null, 'turn', 'reader_stopped'],
  Download: ['completed', 'all', null, 'turn', null],
  waiting: ['denied', null, null, 'turn', 'policy'],
  undone: ['interrupted', null, null, 'turn', 'disposed'],
  // Nobody reports it any more once the sink is closed.
  report: ['interrupted', 5, 100, null, 'producer_ended'],
};

/** A session's snapshot in the form of `EXPECTED_OPERATIONS`. */
export function operationsOf(snapshot, fileBytes) {
  return Object.fromEntries(
    snapshot.operations.map(({ id, title, state, current, total, parent, reason }) => {
      const isDownload = title === 'Download';
      const amount = isDownload && current === fileBytes ? 'all' : (current ?? null);
      return [isDownload ? title : id, [state, amount, isDownload ? null : (total ?? null), parent ?? null, reason ?? null]];
    }),
  );
}
