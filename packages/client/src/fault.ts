/** What was thrown, in one line: the message, and that of its cause, where `fetch` hides the reason. */
export function describe(error: unknown): string {
  const { message, cause } = (error ?? {}) as { message?: unknown; cause?: { message?: unknown; code?: unknown } };
  const reason = cause?.message || cause?.code;
  return `${message ?? error}${reason ? `: ${reason}` : ''}`.slice(0, 300);
}
