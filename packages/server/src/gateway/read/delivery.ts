const CRLF = Buffer.from('\r\n');

/** Bytes for many readers: encoded once, chunked once, shared by all of them. */
export class Delivery {
  readonly #text: () => string;
  #chunk: Buffer | undefined;
  #plain: Buffer | undefined;
  #headLength = 0;

  /** @param text makes the server-sent events; called at most once, and only if somebody reads bytes */
  constructor(text: () => string) {
    this.#text = text;
  }

  /** As one chunk of HTTP/1.1 chunked coding. */
  get chunk(): Buffer {
    if (!this.#chunk) {
      const body = Buffer.from(this.#text());
      const head = Buffer.from(`${body.length.toString(16)}\r\n`);
      this.#headLength = head.length;
      this.#chunk = Buffer.concat([head, body, CRLF]);
    }
    return this.#chunk;
  }

  /** As they are, for a connection without chunked coding. */
  get plain(): Buffer {
    const chunk = this.chunk;
    return (this.#plain ??= chunk.subarray(this.#headLength, chunk.length - CRLF.length));
  }

  /** True when there are none. */
  get empty(): boolean {
    return this.chunk.length === this.#headLength + CRLF.length;
  }
}
