import { NO_SESSION } from './store-feed.ts';

/** Why a snapshot could not be had. `final` when asking again the same way cannot help. */
export class SnapshotError extends Error {
  readonly final: boolean;

  constructor(message: string, final: boolean) {
    super(message);
    this.name = 'SnapshotError';
    this.final = final;
  }
}

/** Longest wait for a snapshot, milliseconds. */
const PATIENCE = 15_000;

/** What the reader is told where a stream came. */
const A_STREAM = 'This is the address of a stream, not of a session.';

/** Statuses that say "later", not "no". */
const LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** Fetches the snapshot of a session as JSON. Rejects with a sentence for the reader. */
export async function fetchSnapshot(address: string, signal: AbortSignal): Promise<unknown> {
  const limit = new AbortController();
  const stop = (): void => limit.abort(signal.reason);
  const timer = setTimeout(() => limit.abort(), PATIENCE);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    const response = await fetch(address, { headers: { accept: 'application/json' }, signal: limit.signal });
    if (!response.ok) {
      const { status } = response;
      const final = status >= 400 && status < 500 && !LATER.has(status);
      throw new SnapshotError(refusal(status), final);
    }
    // It would never end.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) throw new SnapshotError(A_STREAM, true);
    return await response.json();
  } catch (cause) {
    if (cause instanceof SnapshotError || signal.aborted) throw cause;
    if (cause instanceof SyntaxError) throw new SnapshotError(NO_SESSION, true);
    throw new SnapshotError('The server cannot be reached.', false);
  } finally {
    clearTimeout(timer);
    limit.abort();
    signal.removeEventListener('abort', stop);
  }
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return 'You may not read this session.';
  if (status === 404 || status === 410) return 'There is no such session.';
  return `The server could not give the session (status ${status}).`;
}
