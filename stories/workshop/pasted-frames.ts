/** A frame of a pasted text, or why there is none at that place. */
export type Pasted = { readonly frame: unknown; readonly line: number } | { readonly problem: string; readonly line: number };

/** Frames in a text: one JSON value, a list of them, one on each line, or the data lines of a stream of server-sent events. */
export function pastedFrames(text: string): readonly Pasted[] {
  const whole = parse(text);
  if (whole.ok) return (Array.isArray(whole.value) ? whole.value : [whole.value]).map((frame: unknown) => ({ frame, line: 1 }));
  return text.split(/\r\n|\r|\n/).flatMap((raw, index): Pasted[] => {
    const line = index + 1;
    const content = raw.replace(/^data: ?/, '').trim();
    if (content === '' || /^(event|id|retry):|^:/.test(content)) return [];
    const parsed = parse(content);
    return [parsed.ok ? { frame: parsed.value, line } : { problem: parsed.problem, line }];
  });
}

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, problem: `This is not JSON: ${(error as Error).message}` };
  }
}
