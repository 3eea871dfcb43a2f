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
  /** An event, or the id of one, has more than `most` characters and is skipped. */
  onTooLarge(what: 'event' | 'id', most: number): void;
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
/** A line may be longer than the data in it by its field's name, and by what follows before its end is seen. */
const SLACK = 1024;
const BOM = '\uFEFF';
const DIGITS = /^\d+$/;

/**
 * Parses one response body, after the HTML standard. Written for streams of many small events: lines are found by the
 * engine's own search, and nothing is copied but the values.
 * - Exactly one byte order mark goes; the decoder is told to leave it, since some strip a second one when the first was split.
 * - A carriage return at the end of a piece ends its line at once; a line feed that then begins the next one belongs to it.
 * - An event over the size cap is skipped up to its blank line, and the stream goes on behind it. Reconnecting instead
 *   would bring the same event again. No more than the cap is ever held.
 */
export function createSseParser({ onMessage, onRetry, onTooLarge, maxEventSize }: SseParserOptions): SseParser {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let begun = false;
  let lastId: string | undefined;
  /** Beginning of a line that is not over. */
  let partial = '';
  let afterReturn = false;
  let skipping = false;
  /** The event under way. */
  let data: string | undefined;
  let event: string | undefined;
  let id: string | undefined;

  function skip(): void {
    skipping = true;
    data = event = id = undefined;
    onTooLarge('event', maxEventSize);
  }

  /** A blank line: the event is over. */
  function dispatch(): void {
    if (id !== undefined && id.length > MAX_ID) {
      id = undefined;
      onTooLarge('id', MAX_ID);
    }
    lastId = id ?? lastId;
    const message = data === undefined ? undefined : { event: event || undefined, data, id };
    data = event = id = undefined;
    if (message) onMessage(message);
    skipping = false;
  }

  function field(name: string, value: string): void {
    if (name === 'data') {
      data = data === undefined ? value : `${data}\n${value}`;
      if (data.length > maxEventSize) skip();
    } else if (name === 'id') {
      if (!value.includes('\0')) id = value;
    } else if (name === 'event') event = value;
    else if (name === 'retry' && DIGITS.test(value)) onRetry(Number(value));
  }

  /** One line of `text`, without its end. */
  function line(text: string, from: number, to: number): void {
    if (from === to) return dispatch();
    if (skipping) return;
    for (const name of NAMES) {
      const colon = from + name.length;
      if (text.charCodeAt(colon) !== COLON || colon >= to || !text.startsWith(name, from)) continue;
      return field(name, text.slice(text.charCodeAt(colon + 1) === SPACE && colon + 1 < to ? colon + 2 : colon + 1, to));
    }
    // All that is left of importance is a name without a colon, which stands for an empty value.
    if (to - from <= 5) field(text.slice(from, to), '');
  }

  function feedText(text: string): void {
    let start = afterReturn && text.charCodeAt(0) === LF ? 1 : 0;
    if (text !== '') afterReturn = false;
    let feedAt = -1;
    let returnAt = -1;
    for (;;) {
      if (feedAt < start) feedAt = next(text, '\n', start);
      if (returnAt < start) returnAt = next(text, '\r', start);
      const end = Math.min(feedAt, returnAt);
      if (end === NEVER) break;
      if (partial === '') line(text, start, end);
      else {
        const whole = partial + text.slice(start, end);
        partial = '';
        line(whole, 0, whole.length);
      }
      start = end + 1;
      if (end === returnAt) {
        if (start === text.length) afterReturn = true;
        else if (feedAt === start || text.charCodeAt(start) === LF) start++;
      }
    }
    if (start < text.length) {
      // What is skipped need not be kept, only that the line is not blank.
      partial = skipping ? 'x' : partial + text.slice(start);
      if (partial.length > maxEventSize + SLACK) {
        skip();
        partial = 'x';
      }
    }
  }

  return {
    feed(bytes) {
      let text = decoder.decode(bytes, { stream: true });
      if (!begun && text !== '') {
        begun = true;
        if (text.startsWith(BOM)) text = text.slice(1);
      }
      feedText(text);
    },
    get lastId() {
      return lastId;
    },
  };
}

const LF = 10;
const SPACE = 32;
const COLON = 58;
/** The fields of the standard, the most frequent first. */
const NAMES = ['data', 'id', 'event', 'retry'] as const;

/** Beyond every text, and still a number that engines keep whole. */
const NEVER = 2 ** 30 - 1;

/** Where `what` stands next, `NEVER` when it does not. */
function next(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? NEVER : at;
}
