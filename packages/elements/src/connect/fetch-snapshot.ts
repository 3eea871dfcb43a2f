import { headersOf } from '../session/session-headers.ts';
import { NO_SESSION } from './store-feed.ts';

/** Why a snapshot could not be had. `final` when asking again the same way cannot help. */
export class SnapshotError extends Error {
  readonly final: boolean;
  /** The reader has no right to it. */
  readonly denied: boolean;
  /** Milliseconds the server asked to wait, 0 if it did not. */
  readonly asked: number;

  constructor(message: string, final: boolean, denied = false, asked = 0) {
    super(message);
    this.final = final;
    this.denied = denied;
    this.asked = asked;
  }
}

/** Longest wait for a snapshot, milliseconds. */
const PATIENCE = 15_000;
/** Longest wait a server may ask for, milliseconds. */
const ASKED_MAX = 300_000;

/** What the reader is told where nobody answers. */
export const UNREACHABLE = 'The server cannot be reached.';

/** What who has no right to a session is told by what is not hidden then. */
export const DENIED = 'You may not read this session.';
/** With a 401, signing in may help; this says that the reader is known and has no right. */
export const isDenied = (status: number | undefined): boolean => status === 403;

/** What the reader is told where a stream came. */
const A_STREAM = 'This is the address of a stream, not of a session.';

/**
 * Fetches the snapshot of a session as JSON, as long as nobody aborts `loading`; when it is over, it is aborted in any case.
 * Rejects with a sentence for the reader.
 */
export async function fetchSnapshot(address: string, loading: AbortController): Promise<unknown> {
  const unreachable = new SnapshotError(UNREACHABLE, false);
  const timer = setTimeout(() => loading.abort(unreachable), PATIENCE);
  try {
    const response = await ask(address, loading.signal);
    if (!response.ok) {
      const { status } = response;
      // Those three say "later", not "no".
      const final = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
      throw new SnapshotError(refusal(status), final, isDenied(status), askedBy(response));
    }
    // It would never end.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) throw new SnapshotError(A_STREAM, true);
    return await response.json();
  } catch (cause) {
    if (cause instanceof SnapshotError) throw cause;
    throw cause instanceof SyntaxError ? new SnapshotError(NO_SESSION, true) : unreachable;
  } finally {
    clearTimeout(timer);
    // What is left of an answer is not waited for.
    loading.abort();
  }
}

/** Asks with the headers of the page. What refuses a token is asked once more, with a fresh one. */
async function ask(address: string, signal: AbortSignal): Promise<Response> {
  const give = headersOf(address);
  const gone = new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason), { once: true }));
  gone.catch(() => undefined);
  for (let last = !give; ; last = true) {
    const headers = new Headers(await (give && Promise.race([give(), gone])));
    headers.set('accept', 'application/json');
    const response = await fetch(address, { headers, signal });
    if (last || response.status !== 401) return response;
    void response.body?.cancel();
  }
}

/** The seconds of `Retry-After`; a date is not worth its code here. */
function askedBy({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? Math.min(seconds * 1_000, ASKED_MAX) : 0;
}

/** Why a session could not be had, by the status of the answer. */
export function refusal(status: number): string {
  if (status === 401 || isDenied(status)) return DENIED;
  if (status === 404 || status === 410) return 'There is no such session.';
  return `The server could not give the session (status ${status}).`;
}
