import { createParser } from 'eventsource-parser';
import type { EventSourceLike } from '@sitrep/client';

/** An EventSource for where the platform has none: it hands on events as the standard says, and never reconnects by itself. */
export function eventSource(url: string): EventSourceLike {
  const target = new EventTarget();
  const controller = new AbortController();
  let lastEventId = '';
  const parser = createParser({
    onEvent({ event = 'message', data, id }) {
      lastEventId = id ?? lastEventId;
      if (data !== '') target.dispatchEvent(Object.assign(new MessageEvent(event, { data, lastEventId })));
    },
  });
  const read = async (): Promise<void> => {
    const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: controller.signal });
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
    if (response.status !== 200 || !isStream || !response.body) return void (await response.body?.cancel());
    target.dispatchEvent(new Event('open'));
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) parser.feed(text);
  };
  read()
    .catch(() => undefined)
    .then(() => controller.signal.aborted || target.dispatchEvent(new Event('error')));
  return {
    addEventListener: (type, listener) => target.addEventListener(type, listener as never),
    removeEventListener: (type, listener) => target.removeEventListener(type, listener as never),
    close: () => controller.abort(),
  };
}
