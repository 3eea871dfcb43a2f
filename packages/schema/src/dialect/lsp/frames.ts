import type { ProgressEvent } from '../../wire/event.ts';

/** Key of our event in the value of a progress notification. */
export const LSP_EVENT_KEY = 'sitrep/event';

/** What a progress notification says. */
export interface LspProgressValue {
  readonly kind: 'begin' | 'report' | 'end';
  /** With begin only. */
  readonly title?: string;
  readonly cancellable?: boolean;
  readonly message?: string;
  /** Whole, 0 to 100. Absent in a begin: endless. */
  readonly percentage?: number;
  readonly [LSP_EVENT_KEY]?: ProgressEvent | null;
}

/** A token of the peer: text or a 32-bit integer. */
export type LspToken = string | number;

/** The notification of progress. */
export interface LspProgressFrame {
  readonly jsonrpc: '2.0';
  readonly method: '$/progress';
  readonly params: { readonly token: LspToken; readonly value: LspProgressValue };
}

/** The request to create a token; its id is to be replaced by whoever numbers the requests of the connection. */
export interface LspCreateFrame {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: 'window/workDoneProgress/create';
  readonly params: { readonly token: LspToken; readonly [LSP_EVENT_KEY]?: null };
}

/** The notification that work is to be cancelled. */
export interface LspCancelFrame {
  readonly jsonrpc: '2.0';
  readonly method: 'window/workDoneProgress/cancel';
  readonly params: { readonly token: LspToken };
}

/** What is read and written. */
export type LspFrame = LspProgressFrame | LspCreateFrame | LspCancelFrame;

export const NAME = 'lsp';
export const PROGRESS = '$/progress';
export const CREATE = 'window/workDoneProgress/create';
export const CANCEL = 'window/workDoneProgress/cancel';

/** Characters of a token: more than one of ours has, and little enough to remember many. */
const MAX_TOKEN = 4096;

/** A token as the protocol allows it, read with its type. */
export function readToken(value: unknown): LspToken | undefined {
  return (typeof value === 'string' && value.length <= MAX_TOKEN) || Number.isSafeInteger(value) ? (value as LspToken) : undefined;
}
