import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { isRedisAddress } from '../store/redis/address.ts';
import { exportLines } from '../transfer/export.ts';
import { gatewayUrl, parse } from './arguments.ts';
import { gatewayHeaders } from './gateway-headers.ts';
import { openStore, storeAddress } from './store-address.ts';
import { UsageError } from './usage-error.ts';
import { EXPORT_USAGE } from './usage.ts';

/** `sitrep export`. */
export async function exportSessions(args: string[]): Promise<number> {
  const { values, positionals } = parse('export', args, {
    store: { type: 'string' },
    url: { type: 'string' },
    session: { type: 'string', multiple: true },
    output: { type: 'string' },
  });
  if (values.help) {
    process.stdout.write(EXPORT_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`export takes no "${positionals[0]}".`, 'export');
  if (values.store !== undefined && values.url !== undefined)
    throw new UsageError('Name a store with --store or a gateway with --url, not both.', 'export');
  const { session: sessions, output } = values;
  const address = storeAddress(values.store);
  if (values.url === undefined && address === 'memory')
    throw new UsageError('A store in memory is in its gateway alone: ask that with --url.', 'export');
  const source = values.url === undefined ? fromStore(address, sessions) : await fromGateway(values.url, sessions);
  if (output === undefined) {
    await pipeline(source, process.stdout, { end: false });
    return 0;
  }
  const part = `${output}.part-${process.pid}`;
  try {
    // It holds what only those may read who may read the store.
    await pipeline(source, createWriteStream(part, { mode: 0o600, flush: true }));
    renameSync(part, output);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return 0;
}

function fromStore(address: string, sessions: readonly string[] | undefined): Readable {
  async function* lines(): AsyncGenerator<string> {
    const store = await openStore(address, { repair: false, ...(isRedisAddress(address) ? { log: () => undefined } : {}) });
    try {
      yield* exportLines(store, { sessions, at: Date.now() });
    } finally {
      await store.close();
    }
  }
  return Readable.from(lines());
}

async function fromGateway(flag: string, sessions: readonly string[] = []): Promise<Readable> {
  const url = new URL(`${gatewayUrl('export', flag)}/v1/export`);
  for (const session of sessions) url.searchParams.append('session', session);
  const headers = gatewayHeaders();
  const response = await fetch(url, { headers: typeof headers === 'function' ? headers() : (headers ?? {}) }).catch((error: Error) => {
    throw new Error(`No gateway could be reached at ${flag}: ${((error.cause as Error | undefined) ?? error).message}`, { cause: error });
  });
  if (!response.ok || response.body === null || !response.headers.get('content-type')?.startsWith('application/x-ndjson')) {
    const said = ((await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined)?.error?.message;
    throw new Error(`The gateway at ${flag} answered ${response.status}${said === undefined ? '' : `: ${said}`}`);
  }
  return Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
}
