export type Align = '' | 'left' | 'center' | 'right';

/** The cells of a row, still as they were written, with escaped bars resolved. */
export function cellsOf(line: string): string[] {
  const row = line.trim();
  const cells: string[] = [];
  let start = row.startsWith('|') ? 1 : 0;
  for (let index = start; index <= row.length; index++) {
    if (row[index] === '\\' && index < row.length - 1) index++;
    else if (row[index] === '|' || (index === row.length && start < index)) {
      cells.push(row.slice(start, index).trim().replaceAll('\\|', '|'));
      start = index + 1;
    }
  }
  return cells;
}

/** How the columns are set, if this line is the one below the heads of a table. */
export function alignmentsOf(line: string): Align[] | undefined {
  if (!/^[ \t]*[|:-][ \t|:-]*$/.test(line)) return undefined;
  const cells = cellsOf(line);
  if (!cells.length || !cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => (cell.endsWith(':') ? (cell.startsWith(':') ? 'center' : 'right') : cell.startsWith(':') ? 'left' : ''));
}
