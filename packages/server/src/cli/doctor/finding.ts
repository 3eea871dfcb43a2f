/** How something is: `fail` keeps a gateway from working, `warn` does not yet. */
export type Level = 'ok' | 'warn' | 'fail';

/** What was looked at, and how it is. */
export interface Finding {
  /** What was looked at, a stable word. */
  readonly check: string;
  readonly level: Level;
  /** What was found, one sentence. */
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string | undefined;
}

/** Findings of one check, made by their levels. */
export function finder(check: string): Readonly<Record<Level, (found: string, advice?: string) => Finding>> {
  const of =
    (level: Level) =>
    (found: string, advice?: string): Finding => ({ check, level, found, ...(advice === undefined ? {} : { advice }) });
  return { ok: of('ok'), warn: of('warn'), fail: of('fail') };
}
