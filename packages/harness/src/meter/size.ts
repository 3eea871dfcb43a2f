const encoder = new TextEncoder();

/** How many bytes a chunk of a stream stands for: binary data by its length, text as UTF-8. Undefined for anything else. */
export function byteSize(chunk: unknown): number | undefined {
  if (typeof chunk === 'string') return encoder.encode(chunk).length;
  const { byteLength } = Object(chunk) as { readonly byteLength?: unknown };
  return typeof byteLength === 'number' && Number.isFinite(byteLength) ? byteLength : undefined;
}
