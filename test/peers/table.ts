/** Writes `docs/peers.md` from what is recorded of each peer. With `--check` nothing is written; the exit code tells whether it stands. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SCENARIOS } from './record.ts';
import type { Recorded, Scenario } from './record.ts';

const FOLDER = new URL('came-through/', import.meta.url);
const PAGE = new URL('../../docs/peers.md', import.meta.url);

/** The page as it follows from the recorded rows. */
export function page(): string {
  const peers = readdirSync(FOLDER)
    .sort()
    .map((file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Recorded);
  return [
    '# What came through',
    '',
    'Each peer is put through the same scenarios over a real connection, with its own library at the other end: what was sent,',
    'what that library handed on or showed, and what our records show. The rows are recorded by the tests in',
    '[`test/peers`](../test/peers) and compared with each run.',
    ...peers.flatMap(section),
    '',
  ].join('\n');
}

function section({ peer, transport, rows }: Recorded): string[] {
  const lines = (Object.keys(SCENARIOS) as Scenario[]).map((name) => {
    const row = rows[name];
    const cells =
      row === undefined ? ['', '', ''] : 'none' in row ? [`does not arise: ${row.none}`, '', ''] : [row.sent, row.peer, row.ours];
    return `| ${[SCENARIOS[name], ...cells].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return ['', `## ${peer}, ${transport}`, '', '| scenario | sent | its library | our records |', '| --- | --- | --- | --- |', ...lines];
}

if (import.meta.main) {
  const text = page();
  if (!process.argv.includes('--check')) writeFileSync(PAGE, text);
  else if (readFileSync(PAGE, 'utf8') !== text) {
    console.error('docs/peers.md is not what is recorded: run node test/peers/table.ts');
    process.exitCode = 1;
  }
}
