let counter = 0;

/** A new identifier: a UUID where the platform has them, else a text that is unique in practice. */
export function mintId(): string {
  // Absent in browsers outside secure contexts.
  const platform = globalThis.crypto as { randomUUID?: () => string } | undefined;
  if (typeof platform?.randomUUID === 'function') return platform.randomUUID();
  counter += 1;
  return `op-${Date.now().toString(36)}-${counter.toString(36)}-${Math.random().toString(36).slice(2, 10)}`;
}
