// oxlint-disable unicorn/require-post-message-target-origin -- a worker has no origin to name.
// The story in a web worker, as browsers, Bun and Deno have them.
import { story } from './story.mjs';

self.addEventListener('message', ({ data }) => {
  story(data).then(
    (answer) => self.postMessage(answer),
    (error) => self.postMessage({ error: String(error?.stack ?? error) }),
  );
});
