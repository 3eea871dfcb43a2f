// oxlint-disable unicorn/require-post-message-target-origin -- between a webview and its extension, where there is none.
import { servePort } from '@sitrep/client/serve-port';
import type { Source } from '@sitrep/client';

/** As much of a webview as is needed to talk to it. */
export interface WebviewLike {
  postMessage(message: unknown): unknown;
  onDidReceiveMessage(listener: (message: unknown) => void): { dispose(): unknown };
}

/** Which operation somebody asks to cancel. */
export interface Cancelled {
  readonly id: string | number;
  readonly run?: string;
}

/** Reads a session for a webview, which reads it by messages. Ends when the returned function is called. */
export function serveWebview(webview: WebviewLike, source: Source, cancel: (operation: Cancelled) => void): () => void {
  type Listener = (event: { readonly data: unknown }) => void;
  const listeners = new Set<Listener>();
  const hearing = webview.onDidReceiveMessage((data) => {
    const asked = (data as { cancel?: Cancelled } | null)?.cancel;
    if (asked) cancel(asked);
    else for (const listener of listeners) listener({ data });
  });
  const server = servePort(
    {
      postMessage: (message) => void webview.postMessage(message),
      addEventListener: (_type, listener: Listener) => void listeners.add(listener),
      removeEventListener: (_type, listener: Listener) => void listeners.delete(listener),
    },
    source,
  );
  return () => {
    server.close();
    hearing.dispose();
  };
}
