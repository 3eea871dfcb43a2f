import { openCode } from '@sitrep/schema/dialect/opencode';
import { createDecoder } from '@sitrep/schema/translate';
import type { Decoder } from '@sitrep/schema/translate';
import { createHttpSink } from '../sink/http.ts';
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

/** Milliseconds after which a gateway that does not answer counts as not there, and that the end waits for it. */
const REQUEST_MS = 3_000;
const CLOSE_MS = 1_000;
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
  const sink = createHttpSink({ url: url.replace(/\/+$/, ''), timeoutMs: REQUEST_MS, flushMs: CLOSE_MS });
  const roots = new Roots();
  const decoders = new Map<string, Decoder>();

  const decoderOf = (root: string): Decoder => {
    const known = decoders.get(root);
    if (known !== undefined) return known;
    const oldest = decoders.size < MAX_SESSIONS ? undefined : decoders.keys().next().value;
    if (oldest !== undefined) decoders.delete(oldest);
    const decoder = createDecoder(openCode, { session: fixed ?? root, sessionID: root });
    decoders.set(root, decoder);
    return decoder;
  };

  return {
    event: async ({ event }) => {
      const session = sessionOf(event);
      if (session === undefined) return;
      const decoded = decoderOf(roots.of(session, event)).decode(event, Date.now());
      if (decoded.ok) for (const each of decoded.events) sink.send(each);
    },
    dispose: () => sink.close(),
  };
};

function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
