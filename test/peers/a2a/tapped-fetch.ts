import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';

/** Our records of one conversation, led by nothing but what came over the wire. */
export interface Tapped {
  readonly fetch: typeof fetch;
  readonly index: SessionIndex;
  /** Codes of what the dialect had to mend or refuse, in order. */
  readonly noted: string[];
}

/** A fetch that hands on every answer as it is and reads each frame of it: a JSON answer, or the data of an event stream. */
export function tappedFetch(dialect: Dialect<unknown>): Tapped {
  const index = new SessionIndex('chat-1');
  const noted: string[] = [];
  let at = 2_000_000;
  const heard = (decoder: ReturnType<typeof createDecoder>, text: string): void => {
    const decoded = decoder.decode(JSON.parse(text), (at += 1));
    noted.push(...(decoded.ok ? (decoded.mended ?? []) : decoded.issues).map(({ code }) => code));
    if (decoded.ok) for (const event of decoded.events) index.apply(event);
  };
  const tapped: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method !== 'POST') return response;
    const decoder = createDecoder(dialect, { session: 'chat-1' });
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      const text = await response.text();
      heard(decoder, text);
      return new Response(text, response);
    }
    const body = response.body?.pipeThrough(eachData((data) => heard(decoder, data)));
    return new Response(body ?? null, response);
  };
  return { fetch: tapped, index, noted };
}

function eachData(heard: (data: string) => void): TransformStream<Uint8Array, Uint8Array> {
  const text = new TextDecoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data:')) heard(line.slice(5));
      controller.enqueue(chunk);
    },
  });
}
