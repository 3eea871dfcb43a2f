import type { ReactiveControllerHost } from 'lit';
import type { CardRecord, Operation, Run } from '@sitrep/schema';
import type { Language, View } from '@sitrep/schema/select';
import type { FeedHistory, FeedState, SessionFeed } from './feed.ts';
import type { ShownState } from './shown-state.ts';
import type { OperationId, OperationNode } from './tree.ts';

/** What an element shows that stands for one operation. */
export interface ShownOperation {
  readonly operation: Operation;
  readonly view: View;
  /** What it is told in. */
  readonly language: Language;
  /** What runs under it. */
  readonly nested: readonly OperationNode[];
}

/** What a pill says, and whether that can still change by itself. */
export interface Sum {
  readonly state: ShownState;
  readonly summary?: string | undefined;
  readonly settled: boolean;
}

/** An element that may show a session. */
export interface SessionHost extends ReactiveControllerHost, HTMLElement {
  /** What it speaks. */
  readonly language: Language;
  src: string | undefined;
  /** The id of the provider whose session it shows, wherever that stands. */
  provider: string | undefined;
  /** With it, the element shows one operation of the session only. */
  readonly operationId?: OperationId | undefined;
  readonly run?: Run | string | null | undefined;
  /** True while it is out of sight: what it shows stays, and nothing is read for it. It is looked at with each update of the host. */
  readonly resting?: boolean;
  /** True while it also draws everything that lies under its operation. */
  readonly followsAll?: boolean;
  /** Called with every new state of the session, independent of rendering. */
  heard?(state: FeedState): void;
}

/** The sessions of a gateway, newest write first, each with its word where the gateway gives one; or why there is no list. */
export interface SessionList {
  readonly sessions: readonly { readonly session: string; readonly activity: string | undefined }[] | undefined;
  /** A sentence for the reader. */
  readonly error: string | undefined;
}

/** The tie between an element and the session it shows: its own by address, or that of the provider around it. */
export interface SessionLink {
  /** Where the session stands, or undefined when there is none to show. */
  readonly state: FeedState | undefined;
  /** The operation the host names. */
  find(): ShownOperation | undefined;
  /** The versions of the session's card that are still known; absent where none are kept. */
  readonly revisions?: (() => readonly CardRecord[]) | undefined;
  /** What can be shown of how it was; absent where nothing is kept. */
  readonly history?: FeedHistory | undefined;
  /** True while a banner around the host says already that the connection is lost. */
  readonly told?: boolean | undefined;
  /** Loads the session again. */
  retry(): void;
}

/**
 * Elements given records by property need no session, so the code for sessions comes apart: the define modules say by
 * `load` how to get it when the first `src` is met, a provider brings it along, and it puts itself here as `attach`.
 */
export const sessions: {
  load: () => Promise<unknown>;
  attach?: (host: SessionHost) => SessionLink;
  /** The session at an absolute address. */
  open?: (address: string) => SessionFeed;
  /** Fetches ahead what opening that session will need first. */
  foresee?: (address: string) => void;
  /** Watches the list of sessions at an absolute address until the returned function is called. */
  list?: (address: string, told: (list: SessionList) => void) => () => void;
  /** Why that code could not be had, for the reader. */
  error?: string | undefined;
  /** Who wants a session before that code is there. */
  readonly waiting: Set<SessionHost>;
} = { load: () => Promise.reject(), waiting: new Set() };
