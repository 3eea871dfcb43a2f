import { goodbye, parse } from './frame-text.ts';
import type { Goodbye } from './frame-text.ts';

/** What a message means to the source. */
export type SocketMeaning = 'heartbeat' | Goodbye;

/** What a message of a socket holds: a frame still as text, or frames as values. */
export type SocketMessage =
  | { readonly json: string; readonly cursor: string }
  | {
      readonly frames: readonly unknown[];
      readonly cursor: string | undefined;
      /** What it means to the source, where it is for it to know. */
      readonly means: SocketMeaning | undefined;
    };

const HEAD = '{"cursor":"';
const MIDDLE = '","event":{';

/** Reads a message; undefined for what is no JSON. `ours`: it is of our subprotocol, where nothing stands behind the event. */
export function readMessage(text: string, ours: boolean): SocketMessage | undefined {
  return (ours ? readPositioned(text) : undefined) ?? readValue(text);
}

/**
 * An event with its position, as our gateway writes it: cut out as text, for a sink that can spare the parsing. Only where
 * nothing in the cursor could mean something else than it says.
 */
function readPositioned(text: string): SocketMessage | undefined {
  if (!text.startsWith(HEAD) || !text.endsWith('}}')) return undefined;
  const end = text.indexOf('"', HEAD.length);
  if (!text.startsWith(MIDDLE, end)) return undefined;
  const cursor = text.slice(HEAD.length, end);
  return cursor.includes('\\') ? undefined : { cursor, json: text.slice(end + MIDDLE.length - 1, -1) };
}

function readValue(text: string): SocketMessage | undefined {
  const parsed = parse(text);
  if (parsed === undefined) return undefined;
  const { value } = parsed;
  const { cursor, event } = envelopeOf(value);
  const frames = event !== undefined ? [event] : Array.isArray(value) ? (value as unknown[]) : [value];
  return { frames, cursor, means: meaning(frames[0]) };
}

function envelopeOf(value: unknown): { readonly cursor: string | undefined; readonly event: unknown } {
  const { cursor, event } = (value ?? {}) as { readonly cursor?: unknown; readonly event?: unknown };
  const isEnvelope = typeof event === 'object' && event !== null;
  return { cursor: isEnvelope && typeof cursor === 'string' && cursor !== '' ? cursor : undefined, event: isEnvelope ? event : undefined };
}

function meaning(frame: unknown): SocketMeaning | undefined {
  const { type } = (frame ?? {}) as { readonly type?: unknown };
  if (type === 'heartbeat') return 'heartbeat';
  return type === 'end' ? goodbye(frame) : undefined;
}
