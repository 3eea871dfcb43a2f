/** A progress tag as an author or a model writes it, with what stands between it and its end. */
const TAG = /^<progress\b((?:[^<>"']|"[^"<>]*"|'[^'<>]*'){0,300})>/i;
const CONTENT = /^[^<]{0,200}<\/progress\s*>/i;
const STRAY = /^<\/progress\s*>/i;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A bar found in a note. */
export interface BarTag {
  /** The source it was read from. */
  readonly raw: string;
  /** The amount done; undefined for a bar that only says "going on". */
  readonly value: number | undefined;
  /** The amount to do; undefined for a stray end tag, which draws nothing. */
  readonly max: number | undefined;
  /** What the author calls it. */
  readonly name: string | undefined;
}

/**
 * Reads the bar at the beginning of `source`. Numbers are read strictly, and the value is held between 0 and the
 * maximum. A bar that was not closed ends where it stands, so that the text after it stays visible.
 */
export function readBar(source: string): BarTag | undefined {
  const stray = STRAY.exec(source);
  if (stray) return { raw: stray[0], value: undefined, max: undefined, name: undefined };
  const tag = TAG.exec(source);
  if (!tag) return undefined;
  const attributes = tag[1] ?? '';
  const closed = /\/\s*$/.test(attributes) ? null : CONTENT.exec(source.slice(tag[0].length));
  const raw = tag[0] + (closed?.[0] ?? '');
  const max = numberOf(attributes, 'max', 1);
  const value = numberOf(attributes, 'value', undefined);
  const usable = max !== undefined && max > 0;
  return {
    raw,
    value: usable && value !== undefined ? Math.min(max, Math.max(0, value)) : undefined,
    max: usable ? max : 1,
    name: textOf(attributes, 'aria-label') ?? textOf(attributes, 'title'),
  };
}

function numberOf(attributes: string, name: string, absent: number | undefined): number | undefined {
  const text = textOf(attributes, name);
  if (text === undefined) return absent;
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

function textOf(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, 'i').exec(attributes);
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined;
}
