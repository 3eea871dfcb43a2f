import { isRedisAddress } from '../store/redis/address.ts';
import { importLines } from '../transfer/import.ts';
import { parse } from './arguments.ts';
import { counted } from './counted.ts';
import { inputFile } from './input-file.ts';
import { jsonLines } from './json-lines.ts';
import { openStore, shownAddress, storeAddress } from './store-address.ts';
import { UsageError } from './usage-error.ts';
import { IMPORT_USAGE } from './usage.ts';

/** `sitrep import`. */
export async function importSessions(args: string[]): Promise<number> {
  const { values, positionals } = parse('import', args, {
    store: { type: 'string' },
    replace: { type: 'boolean' },
    'new-epochs': { type: 'boolean' },
  });
  if (values.help) {
    process.stdout.write(IMPORT_USAGE);
    return 0;
  }
  const { input, name } = inputFile('import', positionals, 'an export');
  const address = storeAddress(values.store);
  if (address === '' || address === 'memory' || (address.includes('://') && !isRedisAddress(address)))
    throw new UsageError('--store must name a file, or be the address of a Redis server.', 'import');
  // As many as there are: what was kept elsewhere is not to be let go here.
  const store = await openStore(address, {
    sessions: Number.MAX_SAFE_INTEGER,
    // What one script can be given.
    events: isRedisAddress(address) ? 100_000 : 1_000_000,
    eventBytes: 1_073_741_824,
    timeoutMs: 30_000,
    // serve and doctor say how a Redis is set up.
    ...(isRedisAddress(address) ? { log: () => undefined } : {}),
  });
  try {
    const result = await importLines(jsonLines(input), store, {
      replace: values.replace,
      newEpochs: values['new-epochs'],
      onFault: (number, message) => void process.stderr.write(`${number}: ${message}\n`),
    });
    const { imported, unchanged, refused, complete } = result;
    process.stdout.write(
      `${counted(imported, 'session')} taken, ${unchanged} there already, ${refused} not taken (${shownAddress(address)})\n`,
    );
    if (!complete) process.stderr.write(`sitrep: ${name} ends in the middle: the last line of an export is missing.\n`);
    return refused === 0 && complete ? 0 : 1;
  } finally {
    await store.close();
  }
}
