import { createGateway } from '../gateway/create-gateway.ts';
import type { TokenKey } from '../auth/keys.ts';
import { isLoopback } from '../http/listen.ts';
import { parse } from './arguments.ts';
import { limitsOf } from './limits.ts';
import { keysOf } from './token-keys.ts';
import { openStore, shownAddress, storeAddress } from './store-address.ts';
import { pushOptionsOf } from './push-options.ts';
import { logOf, requestLog } from './log.ts';
import { UsageError } from './usage-error.ts';
import { SERVE_USAGE } from './usage.ts';

/** `sitrep serve`. Resolves when it was told to stop and has stopped. */
export async function serve(args: string[]): Promise<number> {
  const { values, positionals } = parse('serve', args, {
    port: { type: 'string' },
    host: { type: 'string' },
    store: { type: 'string' },
    'allow-host': { type: 'string', multiple: true },
    'allow-origin': { type: 'string', multiple: true },
    'key-file': { type: 'string' },
    limit: { type: 'string', multiple: true },
    'push-keys': { type: 'string' },
    'push-host': { type: 'string', multiple: true },
    'trust-proxy': { type: 'boolean' },
    log: { type: 'string' },
    drain: { type: 'string' },
    'drain-delay': { type: 'string' },
  });
  if (values.help) {
    process.stdout.write(SERVE_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`serve takes no "${positionals[0]}".`, 'serve');
  const port = Number(values.port ?? 4747);
  if (!/^\d+$/.test(values.port ?? '4747') || port > 65_535)
    throw new UsageError('--port must be a whole number from 0 to 65535.', 'serve');
  if (values.store === '') throw new UsageError('--store must name a file, be "memory", or be the address of a Redis server.', 'serve');
  const host = values.host ?? '127.0.0.1';
  const allowedHosts = values['allow-host'] ?? [];
  const keys = keysOf('serve', values['key-file']);
  if (!isLoopback(host)) {
    if (keys.length === 0) {
      const message = `--host ${host} can be reached from other machines, and without keys whoever reaches it may read and write. Give it a key with --key-file <file> (sitrep token --new-key makes one), or leave --host out.`;
      throw new UsageError(message, 'serve');
    }
    if (allowedHosts.length === 0) {
      const message = `--host ${host} can be reached from other machines. Say under which names it may answer with --allow-host <name>, or leave --host out.`;
      throw new UsageError(message, 'serve');
    }
  }
  const allowedOrigins = values['allow-origin'] ?? [];
  for (const origin of allowedOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin.replace(/\/$/, '')) {
      throw new UsageError(`--allow-origin must be an origin such as https://board.example, not "${origin}".`, 'serve');
    }
  }

  const limits = limitsOf(values.limit ?? []);
  const push = pushOptionsOf(values['push-keys'], values['push-host'] ?? []);

  const log = await logOf(values.log);
  const windowMs = millisecondsOf('drain', values.drain, 10);
  const delayMs = millisecondsOf('drain-delay', values['drain-delay'], 0);

  // Before anybody can know that there is something to stop.
  const signals = stopSignals();
  const where = storeAddress(values.store);
  const store = await openStore(where, { ...limits.store, log: (line) => log(line, { event: 'store' }) });
  const gateway = createGateway({
    ...limits.gateway,
    log,
    ...(values.log === 'json' ? { onRequest: requestLog(log) } : {}),
    trustProxy: values['trust-proxy'],
    store,
    keys,
    allowedHosts,
    allowedOrigins,
    push,
  });
  let url: string;
  try {
    ({ url } = await gateway.listen({ port, host: host === '[::1]' ? '::1' : host }));
  } catch (error) {
    await gateway.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} is in use. Stop what uses it, or name another with --port.`, { cause: error });
    throw error;
  }
  process.stdout.write(`sitrep gateway at ${url} (store: ${shownAddress(where)})\n${openness(keys)}\n`);
  // Whoever sits before it wants it to end now; a supervisor wants nobody to notice.
  if ((await signals.first) === 'SIGTERM') await Promise.race([gateway.drain({ windowMs, delayMs }), signals.second]);
  // Not the end of the sessions: readers come back when a gateway is back.
  await gateway.close({ end: false });
  return 0;
}

/** Who may use it, in words. */
function openness(keys: readonly TokenKey[]): string {
  if (keys.length === 0) return 'It has no keys: this machine only, and every program on it may read and write.';
  return `It asks for tokens (${keys.length === 1 ? 'one key' : `${keys.length} keys`}: ${[...new Set(keys.map(({ algorithm }) => algorithm))].join(', ')}).`;
}

/** The first signal to stop, and the next one, whichever it is. */
function stopSignals(): { readonly first: Promise<string>; readonly second: Promise<string> } {
  let stop: (signal: string) => void = () => undefined;
  let hurry = stop;
  const first = new Promise<string>((resolve) => (stop = resolve));
  const second = new Promise<string>((resolve) => (hurry = resolve));
  let count = 0;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      count += 1;
      (count === 1 ? stop : hurry)(signal);
    });
  }
  return { first, second };
}

/** Seconds of a flag as milliseconds. */
function millisecondsOf(name: string, value: string | undefined, fallback: number): number {
  if (value !== undefined && !/^\d+(\.\d+)?$/.test(value))
    throw new UsageError(`--${name} must be a number of seconds, not "${value}".`, 'serve');
  return Number(value ?? fallback) * 1_000;
}
