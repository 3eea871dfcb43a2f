import type { ReactiveControllerHost } from 'lit';
import type { FeedState } from './feed.ts';
import type { ShownState } from './shown-state.ts';

/** What a pill says, and whether that can still change by itself. */
export interface Sum {
  readonly state: ShownState;
  readonly summary?: string | undefined;
  readonly settled: boolean;
}

/** An element that may show a session. */
export interface SessionHost extends ReactiveControllerHost, HTMLElement {
  src: string | undefined;
  /** Called with every new state of the session, independent of rendering. False if nothing the host draws has changed. */
  feedChanged(state: FeedState): boolean;
}

/** The tie between an element and the session it shows: its own by address, or that of the provider around it. */
export interface SessionLink {
  /** Where the session stands, or undefined when there is none to show. */
  readonly state: FeedState | undefined;
  /** The whole session in one word. */
  sum(): Sum | undefined;
  /** Loads the session again. */
  retry(): void;
}

type Attach = (host: SessionHost) => SessionLink;

let attach: Attach | undefined;
let load: (() => Promise<unknown>) | undefined;
const waiting = new Set<SessionHost>();

/**
 * Elements given records by property need no session, so the code for sessions comes apart: the define modules say how
 * it is loaded when the first `src` is met, and a provider brings it along.
 */
export function installLoader(loader: () => Promise<unknown>): void {
  load = loader;
}

/** Called by the code for sessions once it is there. */
export function installSessions(attachTo: Attach): void {
  attach = attachTo;
  for (const host of waiting) host.requestUpdate();
  waiting.clear();
}

/** Ties the host to its session, as soon as that is possible. `undefined` until then. */
export function linkSession(host: SessionHost): SessionLink | undefined {
  if (attach) return attach(host);
  waiting.add(host);
  return undefined;
}

/** The host is gone; it no longer waits. */
export function unlinkSession(host: SessionHost): void {
  waiting.delete(host);
}

/** Loads the code for sessions. Rejects with a sentence for the reader. */
export async function loadSessions(): Promise<void> {
  if (!load) throw new Error('This element was registered without the code that connects.');
  await load().catch(() => {
    throw new Error('The code that connects could not be loaded.');
  });
}
