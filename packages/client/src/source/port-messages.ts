import type { ConnectionState } from '@sitrep/schema/select';
import type { Diagnostic } from './source.ts';

/**
 * What goes over a port between the one who has a source and those who read it. Every message names its reader, because a
 * BroadcastChannel is heard by all; whatever has not this shape is none of ours and is passed over.
 */
export type PortMessage =
  /** A reader begins, or begins again after silence; from `cursor` on, where it knows one. */
  | { readonly sitrep: 'open'; readonly reader: string; readonly cursor?: string | undefined }
  /** The reader is still there. */
  | { readonly sitrep: 'here'; readonly reader: string }
  /** The reader wants nothing more. */
  | { readonly sitrep: 'close'; readonly reader: string }
  | { readonly sitrep: 'frame'; readonly reader: string; readonly value: unknown; readonly cursor?: string | undefined }
  | { readonly sitrep: 'connection'; readonly reader: string; readonly state: ConnectionState }
  | { readonly sitrep: 'diagnostic'; readonly reader: string; readonly diagnostic: Diagnostic }
  /** The other side is still there, though it has nothing to say. */
  | { readonly sitrep: 'beat'; readonly reader: string };

/** What has messages to give and to take: a MessagePort, a BroadcastChannel, a Worker, the global scope of a worker. */
export interface PortLike {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  removeEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  /** A MessagePort holds its messages back until it is started. */
  start?(): void;
}

/** Milliseconds between two signs of life, from either side. Silence of 2.5 of them counts as gone. */
export const PORT_INTERVAL = 5_000;

/** The message, if it is one of ours. */
export function portMessage(data: unknown): PortMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { sitrep, reader } = data as { sitrep?: unknown; reader?: unknown };
  return typeof sitrep === 'string' && typeof reader === 'string' ? (data as PortMessage) : undefined;
}
