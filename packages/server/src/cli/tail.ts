import { createSseSource } from '@sitrep/client';
import { sessionNameFault } from '../gateway/session/session-name.ts';
import { gatewayUrl, parse } from './arguments.ts';
import { gatewayHeaders } from './gateway-headers.ts';
import { TailView } from './tail-view.ts';
import { UsageError } from './usage-error.ts';
import { TAIL_USAGE } from './usage.ts';

/** Milliseconds between two looks for what has become silent. */
const LOOK_MS = 2_000;

/** `sitrep tail`: follows a session until the gateway ends the stream or the person does. */
export async function tail(args: string[]): Promise<number> {
  const { values, positionals } = parse('tail', args, { url: { type: 'string' }, json: { type: 'boolean' } });
  if (values.help) {
    process.stdout.write(TAIL_USAGE);
    return 0;
  }
  const [session, more] = positionals;
  if (session === undefined || more !== undefined) throw new UsageError('Name one session.', 'tail');
  const fault = sessionNameFault(session);
  if (fault !== undefined) throw new UsageError(fault, 'tail');
  const url = gatewayUrl('tail', values.url);
  const view = new TailView(session, (line) => process.stdout.write(`${line}\n`));
  const looking = values.json ? undefined : setInterval(() => view.look(), LOOK_MS);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  // Whoever reads us has enough.
  process.stdout.once('error', () => stop.abort());

  let position: string | undefined;
  let told: string | undefined;
  const source = createSseSource({ url: `${url}/v1/sessions/${encodeURIComponent(session)}/stream`, headers: gatewayHeaders() });
  await source.open(
    {
      frame(value, cursor) {
        if (cursor !== undefined) position = cursor;
        if (values.json) process.stdout.write(`${JSON.stringify(value)}\n`);
        else view.frame(value);
      },
      connection(state) {
        if (state === 'live') told = undefined;
      },
      diagnostic({ code, message }) {
        if (told === code) return;
        told = code;
        process.stderr.write(`sitrep: ${url}: ${message}\n`);
      },
      cursor: () => position,
    },
    stop.signal,
  );
  clearInterval(looking);
  return stop.signal.aborted || view.ended || values.json ? 0 : 1;
}
