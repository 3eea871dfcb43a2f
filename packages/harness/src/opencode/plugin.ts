import { openCode } from '@sitrep/schema/dialect/opencode';
import { createDecoder } from '@sitrep/schema/translate';
import type { Decoder } from '@sitrep/schema/translate';
import type { RunEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import { createHttpSink } from '../sink/http.ts';
import type { HttpSink } from '../sink/http.ts';
import { Cards } from './cards.ts';
import { Roots, sessionOf } from './roots.ts';

/** Options of the plugin, as OpenCode's configuration gives them. */
export interface OpenCodePluginOptions {
  /** Address of the gateway. Default: SITREP_URL, else http://127.0.0.1:4747. */
  readonly url?: string | undefined;
  /** Session to write to. Default: SITREP_SESSION, else one for each of OpenCode's, with its id. */
  readonly session?: string | undefined;
}

/** What OpenCode calls. */
export interface OpenCodeHooks {
  /** Told of each event of the bus. */
  readonly event: (input: { readonly event: unknown }) => Promise<void>;
  /** Called when OpenCode lets the plugin go: what is still on its way is sent. */
  readonly dispose: () => Promise<void>;
}

/** Milliseconds after which a gateway that does not answer counts as not there, and that the end waits for a word of it. */
const REQUEST_MS = 3_000;
const CLOSE_MS = 1_000;
/** How often the end waits so long for a gateway that is slow and answers. */
const MAX_WAITS = 10;
/** Sessions whose decoder is kept. */
const MAX_SESSIONS = 64;

/**
 * The plugin: forwards runs, calls, to-do lists, questions and subagents of OpenCode to a gateway. It reads the bus and
 * changes nothing. A gateway that is not there costs nothing but the wait for it, which nobody waits for.
 *
 * OpenCode takes every function a plugin's module exports for a plugin, so this is the only one. In
 * `.opencode/plugins/sitrep.ts`:
 *
 * ```ts
 * export { sitrepPlugin } from '@sitrep/harness/opencode';
 * ```
 */
export const sitrepPlugin = async (_input?: unknown, options: OpenCodePluginOptions = {}): Promise<OpenCodeHooks> => {
  const url = options.url ?? environment('SITREP_URL') ?? 'http://127.0.0.1:4747';
  const fixed = options.session ?? environment('SITREP_SESSION');
  const gateway = { url: url.replace(/\/+$/, ''), timeoutMs: REQUEST_MS };
  const sink = createHttpSink({ ...gateway, flushMs: CLOSE_MS });
  const cards = new Cards(gateway, systemClock);
  const roots = new Roots();
  const decoders = new Map<string, Decoder>();
  /** Turns under way. */
  const open = new Map<string, RunEvent>();

  const decoderOf = (root: string): Decoder => {
    const decoder = decoders.get(root) ?? createDecoder(openCode, { session: fixed ?? root, sessionID: root });
    // The one heard of last at the end, so that the one let go is the one that has been silent longest.
    decoders.delete(root);
    decoders.set(root, decoder);
    const oldest = decoders.size > MAX_SESSIONS ? decoders.keys().next().value : undefined;
    if (oldest !== undefined) decoders.delete(oldest);
    return decoder;
  };

  const noteRun = (event: RunEvent): void => {
    const key = JSON.stringify([event.session, event.run]);
    open.delete(key);
    if (event.state !== 'running') return;
    open.set(key, event);
    const oldest = open.size > MAX_SESSIONS ? open.keys().next().value : undefined;
    if (oldest !== undefined) open.delete(oldest);
  };

  return {
    event: async ({ event }) => {
      const session = sessionOf(event);
      if (session === undefined) return;
      const decoded = decoderOf(roots.of(session, event)).decode(event, Date.now());
      if (!decoded.ok) return;
      for (const each of decoded.events) {
        if (each.type === 'card') cards.send(each);
        else sink.send(each);
        if (each.type === 'run') noteRun(each);
      }
    },
    dispose: async () => {
      // With the program its turns are over, and nobody will say how.
      for (const { session, run } of open.values())
        sink.send({ type: 'run', session, run, state: 'interrupted', at: Date.now(), reason: 'disposed' });
      open.clear();
      await Promise.all([closeOnceTold(sink), cards.close(CLOSE_MS)]);
    },
  };
};

/** Goes on for as long as the gateway goes on answering. One that says nothing is waited for once. */
async function closeOnceTold(sink: HttpSink): Promise<void> {
  for (let n = 1, heard = -1; n < MAX_WAITS && sink.stats.pending > 0 && sink.stats.acknowledged > heard; n += 1) {
    heard = sink.stats.acknowledged;
    await sink.flush({ timeoutMs: CLOSE_MS });
    if (sink.stats.acknowledged === heard) return sink.close({ timeoutMs: 0 });
  }
  return sink.close();
}

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
