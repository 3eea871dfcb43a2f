/** One record of a terminal, as far as it must be remembered. */
export interface StatusRecord {
  /** Empty for the root. */
  readonly path: string;
  readonly attempt: number;
  readonly stage: 'live' | 'done' | 'error' | 'cleared';
  /** The program it named, which holds for all beneath it that name none. */
  readonly app?: string | undefined;
}

/** The records of one terminal, the one that moved last at the end. At most 256. */
export interface OscStatusMemory {
  readonly records: readonly StatusRecord[];
}

const MAX_RECORDS = 256;

/** A record by its path. */
export function recordAt(memory: OscStatusMemory | undefined, path: string): StatusRecord | undefined {
  return memory?.records.find((record) => record.path === path);
}

/** The program of the nearest record above a path that names one; the root is above all. */
export function appAbove(memory: OscStatusMemory | undefined, path: string): string | undefined {
  for (let above = path; above !== '';) {
    above = above.slice(0, Math.max(0, above.lastIndexOf('/')));
    const record = recordAt(memory, above);
    if (record?.app !== undefined && record.stage !== 'cleared') return record.app;
  }
  return undefined;
}

/** The record after a report of this stage: what is over begins again as the next attempt. */
export function nextRecord(memory: OscStatusMemory | undefined, path: string, stage: StatusRecord['stage']): StatusRecord {
  const known = recordAt(memory, path);
  if (known === undefined) return { path, attempt: 1, stage };
  const goesOn = known.stage === 'live' || known.stage === stage;
  return { path, attempt: known.attempt + (goesOn ? 0 : 1), stage };
}

/** The memory with these records in the place of the ones before. */
export function withRecords(memory: OscStatusMemory | undefined, records: readonly StatusRecord[]): OscStatusMemory {
  const paths = new Set(records.map(({ path }) => path));
  const others = (memory?.records ?? []).filter(({ path }) => !paths.has(path));
  return { records: [...others, ...records].slice(-MAX_RECORDS) };
}

/** The records a clear takes: the one it names and all beneath, or every one. */
export function subtree(memory: OscStatusMemory | undefined, path: string): StatusRecord[] {
  return (memory?.records ?? []).filter(
    (record) => record.stage !== 'cleared' && (path === '' || record.path === path || record.path.startsWith(`${path}/`)),
  );
}
