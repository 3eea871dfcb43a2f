// oxlint-disable unicorn/require-post-message-target-origin -- between a webview and its extension, where there is none.
import { createMessagePortSource } from '@sitrep/client/message-port';
import type { ProgressCancelRequestEvent } from '@sitrep/elements';
import '@sitrep/elements/define';

/** What VS Code gives a webview to talk to its extension. */
declare function acquireVsCodeApi(): { postMessage(message: unknown): void };

const api = acquireVsCodeApi();
const source = createMessagePortSource({
  port: {
    postMessage: (message) => api.postMessage(message),
    addEventListener: (type, listener) => window.addEventListener(type, listener),
    removeEventListener: (type, listener) => window.removeEventListener(type, listener),
  },
});

document.querySelector('progress-provider')!.source = source;
document.addEventListener('progress-cancel-request', (event) => {
  const { id, run } = (event as ProgressCancelRequestEvent).operation;
  api.postMessage({ cancel: { id, run } });
});
