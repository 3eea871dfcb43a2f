import type { OperationState, StepState } from '../../wire/states.ts';
import { wordTable } from '../word-table.ts';

/** Key of our event in a `_meta` of ACP, both versions. */
export const ACP_EVENT_KEY = 'sitrep/event';
/** Key under which `_meta` says that the words beside it are those of the second version: the frames alone do not tell. */
export const ACP_VERSION_KEY = 'sitrep/acp';

/** The words of one version of ACP, and what follows from what it does not say. */
export interface AcpWords {
  readonly name: 'acp' | 'acp-v2';
  readonly version: 1 | 2;
  /** The words for the state of a call. Whatever is not among them is pending, never success. */
  readonly states: Readonly<Record<string, OperationState>>;
  /** The word for each of our states. */
  readonly out: (state: OperationState, forPermission: boolean) => string;
  /** States of ours the peer has a word for; the others are said in words beside it. */
  readonly known: readonly OperationState[];
  readonly steps: Readonly<Record<string, StepState>>;
  readonly step: (state: StepState) => string;
  /** True when a call is announced by an update of its own, so that other updates for one nobody heard of are dropped. */
  readonly announces: boolean;
  /** True when `null` says that a name or a state is no longer known; else it says nothing. */
  readonly nullClears: boolean;
}

/** What the peer's word for a call's state means to us. */
export function meaningIn(words: AcpWords): (word: string) => OperationState {
  return (word) => words.states[word] ?? 'pending';
}

/** The kinds of tool a peer of any version knows. */
const TOOL_KINDS: ReadonlySet<string> = new Set([
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
]);

/** Kinds of ours that a peer knows by a name of its own. */
const KIND_WORDS: Readonly<Record<string, string>> = wordTable({ command: 'execute' });

/** The peer's word for the kind of a call; undefined when it has none. */
export function toolKind(kind: string): string | undefined {
  return TOOL_KINDS.has(kind) ? kind : KIND_WORDS[kind];
}

/** The `_meta` our whole event travels in. */
export function metaOf(event: object, { version }: AcpWords): Readonly<Record<string, unknown>> {
  return { [ACP_EVENT_KEY]: event, ...(version === 1 ? undefined : { [ACP_VERSION_KEY]: version }) };
}
