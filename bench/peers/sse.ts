/** Server-sent events without our source: the parser we build on, and the least that could split a clean stream. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

type CreateParser = (callbacks: { onEvent(event: { readonly data: string }): void }) => { feed(text: string): void };

// The very copy that our client uses: the peers of this directory do not list it a second time.
const client = createRequire(import.meta.resolve('@sitrep/client/package.json'));
const { createParser } = (await import(pathToFileURL(client.resolve('eventsource-parser')).href)) as { createParser: CreateParser };

export type Chunks = readonly Uint8Array[];

/** Feeds the chunks to eventsource-parser and hands over the data of every event. */
export function parsed(chunks: Chunks, data: (text: string) => void): void {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: (event) => data(event.data) });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
}

/** Cuts lines at LF only and knows `data:` only: what splitting costs at all, not a parser for real streams. */
export function cut(chunks: Chunks, data: (text: string) => void): void {
  const decoder = new TextDecoder();
  let rest = '';
  let pending = '';
  for (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n', from)) {
      if (end === from) {
        if (pending !== '') data(pending);
        pending = '';
      } else if (rest.startsWith('data: ', from)) pending = rest.slice(from + 6, end);
      from = end + 1;
    }
    rest = rest.slice(from);
  }
}
