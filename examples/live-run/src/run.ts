import { randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { createReporter, progressCardTool, type Reporter, type Sink } from '@sitrep/harness';
import type { Gateway } from '@sitrep/server';
import type { ProgressCardInput } from '@sitrep/schema/wire';
import { hashFiles, listFiles } from './jobs/hash-files.ts';
import { callTwice } from './jobs/mcp-calls.ts';
import { deadAddress, publish, startPreviewServer, type PreviewServer } from './jobs/preview-server.ts';

const STEPS = [
  'Hash every file in the folder',
  'Collect both answers of the MCP server',
  'See the preview server come up',
  'Publish the digest',
];
/** How long the MCP server is asked to work, and the preview server takes to come up. */
const MCP_SECONDS = 24;
const PREVIEW_SECONDS = 32;

/** Keeps the card current through the same tool a model would call. */
class Card {
  #done = 0;
  #rows = new Map<string, string>();
  readonly #write: (input: ProgressCardInput) => Promise<unknown>;

  constructor(write: (input: ProgressCardInput) => Promise<unknown>) {
    this.#write = write;
  }

  async step(done: number): Promise<void> {
    this.#done = done;
    await this.show();
  }

  async say(what: string, state: string): Promise<void> {
    this.#rows.set(what, state);
    await this.show();
  }

  async show(bar?: { label: string; value: number; max: number }): Promise<void> {
    const plan = STEPS.map((step, index) => ({
      step,
      status: index < this.#done ? ('completed' as const) : index === this.#done ? ('in_progress' as const) : ('pending' as const),
    }));
    const rows = [...this.#rows].map(([what, state]) => `| ${what} | ${state} |`);
    const note = [
      ...(bar
        ? [
            `${bar.label} ${bar.value.toLocaleString('en')} of ${bar.max.toLocaleString('en')} files\n`,
            `<progress value="${bar.value}" max="${bar.max}"></progress>\n`,
          ]
        : []),
      ...(rows.length > 0 ? ['| what | where it stands |', '| --- | --- |', ...rows] : []),
    ];
    await this.#write({ plan, markdown: note.join('\n') });
  }
}

/**
 * One real run: files are hashed, an MCP server is called twice at once, a slow server is waited for and handed the digest,
 * and one attempt goes to an address where nobody listens. Everything is reported through the harness; nothing is played
 * back.
 */
export async function liveRun(options: { gateway: Gateway; session: string; folder: string; signal: AbortSignal }): Promise<void> {
  const { gateway, session, folder, signal } = options;
  const run = `run-${randomUUID().slice(0, 8)}`;
  const sink: Sink = gateway.sink();
  await clearFormerRuns(gateway, session);
  await gateway.publish(session, [
    { type: 'session', session, at: Date.now(), title: 'Verify and publish' },
    { type: 'run', session, run, state: 'running', at: Date.now() },
  ]);
  const card = new Card((input) => progressCardTool.handle(input, { session, run, cards: gateway }));
  const operation = (title: string) => createReporter({ sink, session, run, title });

  let outcome: 'completed' | 'failed' | 'cancelled' = 'completed';
  let preview: PreviewServer | undefined;
  try {
    await card.step(0);
    const answered = callTwice({ sink, session, run, seconds: MCP_SECONDS, signal });
    const started = operation('Preview server').track((reporter) => startPreviewServer(PREVIEW_SECONDS, reporter, signal));
    const early = operation('Publish too early').track(async () => publish(await deadAddress(), 'draft'));
    // They are awaited below, one after the other; until then a failure must not count as unhandled.
    for (const work of [answered, started, early]) work.catch(() => undefined);
    early.catch(() => card.say('early try', 'refused, nobody listens yet; tried again at the end'));

    const { digest, count } = await operation('Check the folder').track(async (parent) => {
      const files = await parent.child({ title: 'List the files', unit: 'files' }).track((reporter) => listFiles(folder, reporter, signal));
      const tool = { name: 'hash_files', origin: 'native' };
      const hash = await parent
        .child({ title: 'Hash the files', unit: 'files', tool })
        .track((reporter) => hashShown(folder, files, reporter, card, signal));
      return { digest: hash, count: files.length };
    });
    await card.say('folder', `\`${digest.slice(0, 16)}\` over ${count.toLocaleString('en')} files`);
    await card.step(1);

    const answers = await answered;
    await card.say('MCP server', `${answers.length} answers`);
    await card.step(2);

    preview = await started;
    await card.say('preview server', 'up');
    await card.step(3);

    const { url } = preview;
    await operation('Publish the digest').track(() => publish(url, digest));
    await card.say('digest', 'published');
    await card.step(STEPS.length);
  } catch {
    outcome = signal.aborted ? 'cancelled' : 'failed';
  } finally {
    preview?.close();
  }
  await gateway.publish(session, [{ type: 'run', session, run, state: outcome, at: Date.now() }]);
}

/** Hashes with the reporter, and writes how far it is into the note every two seconds, as a worker that is followed would. */
async function hashShown(folder: string, files: readonly string[], reporter: Reporter, card: Card, signal: AbortSignal): Promise<string> {
  let current = 0;
  const timer = setInterval(() => void card.show({ label: 'Hashing', value: current, max: files.length }), 2000);
  try {
    const digest = await hashFiles(
      files,
      (done, file) => {
        current = done;
        reporter.update({ current, total: files.length, message: relative(folder, file) });
      },
      signal,
    );
    reporter.update({ message: null });
    return digest;
  } finally {
    clearInterval(timer);
  }
}

/** Takes what former runs left off the list; what others posted stays. */
async function clearFormerRuns(gateway: Gateway, session: string): Promise<void> {
  const { operations } = await gateway.snapshot(session);
  const clears = operations
    .filter(({ run }) => run !== undefined)
    .map(({ id, run }) => ({ type: 'operation.clear', session, id, run, at: Date.now() }));
  if (clears.length > 0) await gateway.publish(session, clears);
}
