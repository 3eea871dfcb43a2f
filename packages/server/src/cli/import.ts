import { importLines } from '../transfer/import.ts';
import { parse } from './arguments.ts';
import { inputFile } from './input-file.ts';
import { jsonLines } from './json-lines.ts';
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
  const file = values.store ?? '.sitrep/sitrep.db';
  if (file === '' || file === 'memory' || file.includes('://')) throw new UsageError('--store must name a file.', 'import');
  const { createSqliteStore } = await import('../store/sqlite/sqlite.ts');
  // As many as there are: what was kept elsewhere is not to be let go here.
  const store = createSqliteStore(file, { sessions: Number.MAX_SAFE_INTEGER, events: 1_000_000, eventBytes: 1_073_741_824 });
  try {
    const result = await importLines(jsonLines(input), store, {
      replace: values.replace,
      newEpochs: values['new-epochs'],
      onFault: (number, message) => void process.stderr.write(`${number}: ${message}\n`),
    });
    const { imported, unchanged, refused, complete } = result;
    process.stdout.write(`${imported} sessions taken, ${unchanged} there already, ${refused} not taken (${file})\n`);
    if (!complete) process.stderr.write(`sitrep: ${name} ends in the middle: the last line of an export is missing.\n`);
    return refused === 0 && complete ? 0 : 1;
  } finally {
    await store.close();
  }
}
