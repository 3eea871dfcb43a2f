import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';

/** A line of JSON-RPC as it went over the wire. */
export type Line = Readonly<Record<string, unknown>>;

/** The streams to an agent, and what our side makes of what goes over them. */
export interface Wire {
  readonly output: WritableStream<Uint8Array>;
  readonly input: ReadableStream<Uint8Array>;
  /** Our records, led by nothing but the lines. */
  readonly index: SessionIndex;
  /** Codes of what the dialect had to mend or refuse, in order. */
  readonly noted: string[];
  /** A fresh reading of the same connection: what a client has after it lost its own. */
  forget(): void;
  close(): Promise<void>;
}

/** Starts an agent as a child process and listens to both directions. */
export function startAgent(program: string, dialect: Dialect<unknown>): Wire {
  const child = spawn(process.execPath, [fileURLToPath(new URL(program, import.meta.url))], { stdio: ['pipe', 'pipe', 'inherit'] });
  const index = new SessionIndex('chat-1');
  const decoder = createDecoder(dialect, { session: 'chat-1' });
  const noted: string[] = [];
  let at = 1_000_000;
  const heard = (line: Line): void => {
    const decoded = decoder.decode(line, (at += 1));
    noted.push(...(decoded.ok ? (decoded.mended ?? []) : decoded.issues).map(({ code }) => code));
    if (decoded.ok) for (const event of decoded.events) index.apply(event);
  };
  const toAgent = tap(heard);
  void toAgent.readable.pipeTo(Writable.toWeb(child.stdin) as WritableStream<Uint8Array>).catch(() => {});
  const input = (Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>).pipeThrough(tap(heard));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    output: toAgent.writable,
    input,
    index,
    noted,
    forget: () => decoder.reset(),
    async close() {
      child.kill();
      await ended;
    },
  };
}

/** Hands bytes on as they are, and each whole line to the listener first. */
export function tap(heard: (line: Line) => void): TransformStream<Uint8Array, Uint8Array> {
  const text = new TextDecoder();
  let rest = '';
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + text.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') heard(JSON.parse(line) as Line);
      controller.enqueue(chunk);
    },
  });
}
