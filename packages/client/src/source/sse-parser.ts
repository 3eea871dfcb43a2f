import { createParser } from 'eventsource-parser';

/** One event of a stream, whole. */
export interface SseMessage {
  /** Event name; undefined for the default. */
  readonly event: string | undefined;
  readonly data: string;
  /** The event's own `id`, not the carried one; undefined if it has none. */
  readonly id: string | undefined;
}

export interface SseParserOptions {
  onMessage(message: SseMessage): void;
  /** Reconnection time the server asks for, milliseconds, as sent. */
  onRetry(ms: number): void;
  /** An event or an id was skipped because it is too large; one sentence. */
  onTooLarge(message: string): void;
  /** Largest data of one event, UTF-16 code units. */
  readonly maxEventSize: number;
}

export interface SseParser {
  /** Takes the next bytes, cut anywhere. */
  feed(bytes: Uint8Array): void;
  /** The last event id of the stream, with events that carry nothing but an id; `''` after a reset, undefined if none came. */
  readonly lastId: string | undefined;
}

/** A request header must hold the id, and servers cap headers at 8 to 16 KB. */
const MAX_ID = 1024;
const SLICE = 65_536;
const LF = 10;
const CR = 13;
const BOM = '\uFEFF';

/**
 * Parses one response body. The field grammar is eventsource-parser's; this adds what it leaves to its caller:
 * - Exactly one byte order mark goes. The parser would also strip the text `ï»¿`, and the decoder of some runtimes
 *   strips a second mark when the first was split, so the mark is taken off here and the parser is told it has passed.
 * - An event over the size cap is skipped up to its blank line, and the stream goes on behind it. Reconnecting instead
 *   would bring the same event again.
 */
export function createSseParser(options: SseParserOptions): SseParser {
  const { onMessage, onRetry, onTooLarge, maxEventSize } = options;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const slice = Math.min(SLICE, maxEventSize);
  let begun = false;
  let lastId: string | undefined;
  let idBefore: string | undefined;
  let skipping = false;
  let overflowed = false;
  let previous = LF;

  const tooLarge = () => onTooLarge(`An event is larger than ${maxEventSize} characters; it was skipped and the stream goes on.`);
  const parser = createParser({
    // The slack keeps the two checks in step: the parser counts a field name and a partial line along with the data.
    maxBufferSize: maxEventSize + 1024,
    onRetry,
    onId(id) {
      idBefore = lastId;
      if (id.length <= MAX_ID) lastId = id;
      else onTooLarge(`An event id is longer than ${MAX_ID} characters; it was ignored.`);
    },
    onEvent({ event, data, id }) {
      if (data.length > maxEventSize) {
        if (id !== undefined) lastId = idBefore;
        return tooLarge();
      }
      onMessage({ event, data, id: id !== undefined && id.length > MAX_ID ? undefined : id });
    },
    onError(error) {
      // Unknown fields and malformed `retry` are ignored, as the standard says.
      if (error.type === 'max-buffer-size-exceeded') overflowed = true;
    },
  });
  parser.feed(BOM);

  /** What follows the first blank line, or undefined. Called only while skipping. */
  function afterBlankLine(text: string): string | undefined {
    let lineStart = previous === LF || previous === CR;
    for (let i = previous === CR && text.charCodeAt(0) === LF ? 1 : 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code !== LF && code !== CR) {
        lineStart = false;
        continue;
      }
      if (code === CR && text.charCodeAt(i + 1) === LF) i++;
      if (lineStart) return text.slice(i + 1);
      lineStart = true;
    }
    return undefined;
  }

  function feedText(text: string): void {
    if (!skipping) {
      parser.feed(text);
      if (overflowed) {
        // A slice is no larger than the cap, so the event began before it and its blank line is the first one from here.
        overflowed = false;
        skipping = true;
        tooLarge();
      }
    }
    if (skipping) {
      const rest = afterBlankLine(text);
      if (rest !== undefined) {
        skipping = false;
        parser.reset();
        parser.feed(BOM);
        parser.feed(rest);
      }
    }
    previous = text.charCodeAt(text.length - 1);
  }

  return {
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (!begun && text !== '') {
        begun = true;
        if (text.startsWith(BOM)) text = text.slice(1);
      }
      for (let i = 0; i < text.length; i += slice) feedText(text.length > slice ? text.slice(i, i + slice) : text);
    },
    get lastId() {
      return lastId;
    },
  };
}
