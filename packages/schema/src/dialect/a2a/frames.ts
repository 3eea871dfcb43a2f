import { isObject } from '../../check/guards.ts';

/** Key of our event in a `metadata`: extensions of A2A go by a URI. */
export const A2A_EVENT_KEY = 'urn:sitrep:event';

/** Name of the artifact a card is written as. */
export const CARD_ARTIFACT = 'sitrep-card';

/** A part of a message or an artifact, as we write it. */
export interface A2aTextPart {
  readonly text: string;
  readonly mediaType?: string;
}

/** What an agent says beside a state. */
export interface A2aMessage {
  readonly messageId: string;
  readonly contextId: string;
  readonly taskId: string;
  readonly role: 'ROLE_AGENT';
  readonly parts: readonly A2aTextPart[];
}

/** A task has another state, or says more in the same. */
export interface A2aStatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message?: A2aMessage; readonly timestamp: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A task has made something, whole. */
export interface A2aArtifactUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: {
    readonly artifactId: string;
    readonly name: string;
    readonly parts: readonly A2aTextPart[];
    readonly metadata: Readonly<Record<string, unknown>>;
  };
  readonly lastChunk: true;
}

/** One frame of a stream of A2A 1.0 as it is written. */
export type A2aFrame = { readonly statusUpdate: A2aStatusUpdate } | { readonly artifactUpdate: A2aArtifactUpdate };

/** What a frame can hold. */
export type A2aKind = 'task' | 'tasks' | 'message' | 'statusUpdate' | 'artifactUpdate' | 'error';

/** A frame, unwrapped. */
export interface A2aContent {
  readonly kind: A2aKind;
  readonly value: Record<string, unknown>;
  readonly path: string;
}

/** Parts of one message that are looked at. */
const MOST_PARTS = 16;
/** Code units of one part that are looked at: far more than a message may have. */
export const MOST_TEXT = 4096;

const KINDS: readonly A2aKind[] = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

/**
 * Unwraps a frame: one member of the stream's union, with or without the envelope of JSON-RPC; the same as the libraries hold
 * it in memory (`{payload: {$case, value}}`, `{kind, data}`); a task, a list of tasks or an update alone. Undefined when it is
 * none of these.
 */
export function readContent(frame: unknown): A2aContent | undefined {
  if (!isObject(frame)) return undefined;
  if (frame['jsonrpc'] !== '2.0') return contentIn(frame, '');
  if (isObject(frame['error'])) return { kind: 'error', value: frame['error'], path: '/error' };
  return isObject(frame['result']) ? contentIn(frame['result'], '/result') : undefined;
}

function contentIn(frame: Record<string, unknown>, path: string): A2aContent | undefined {
  const { payload, data } = frame;
  if (isObject(payload)) return held(payload['$case'], payload['value'], `${path}/payload/value`);
  if (isObject(data)) return held(frame['kind'], data, `${path}/data`);
  for (const kind of KINDS) {
    // A message has no message; a bare update has a status, in which one may stand.
    const value = frame[kind];
    if (isObject(value)) return { kind, value, path: `${path}/${kind}` };
  }
  return alone(frame, path);
}

function held(kind: unknown, value: unknown, path: string): A2aContent | undefined {
  return isObject(value) && KINDS.includes(kind as A2aKind) ? { kind: kind as A2aKind, value, path } : undefined;
}

function alone(value: Record<string, unknown>, path: string): A2aContent | undefined {
  const { taskId, id, status, artifact, messageId, parts, tasks } = value;
  if (typeof taskId === 'string' && isObject(status)) return { kind: 'statusUpdate', value, path };
  if (typeof taskId === 'string' && isObject(artifact)) return { kind: 'artifactUpdate', value, path };
  if (typeof id === 'string' && isObject(status)) return { kind: 'task', value, path };
  if (typeof messageId === 'string' && Array.isArray(parts)) return { kind: 'message', value, path };
  return Array.isArray(tasks) ? { kind: 'tasks', value, path } : undefined;
}

/** True when the content can be nothing but A2A's. */
export function isCertain({ kind, value }: A2aContent): boolean {
  switch (kind) {
    case 'task':
      return typeof value['id'] === 'string' && hasState(value['status']);
    case 'statusUpdate':
      return typeof value['taskId'] === 'string' && hasState(value['status']);
    case 'artifactUpdate':
      return typeof value['taskId'] === 'string' && isObject(value['artifact']) && typeof value['artifact']['artifactId'] === 'string';
    case 'message':
      return typeof value['messageId'] === 'string' && isRole(value['role']);
    case 'tasks':
      return (value['tasks'] as unknown[]).some((task) => isObject(task) && hasState(task['status']));
    default:
      return false;
  }
}

function hasState(status: unknown): boolean {
  if (!isObject(status)) return false;
  const { state } = status;
  return typeof state === 'string' && state.startsWith('TASK_STATE_');
}

function isRole(role: unknown): boolean {
  return role === 'ROLE_AGENT' || role === 'ROLE_USER';
}

/** The text of a message's or an artifact's parts, as the wire or a library holds them; undefined where there is none. */
export function partsText(parts: unknown): string | undefined {
  if (!Array.isArray(parts)) return undefined;
  const texts = parts.slice(0, MOST_PARTS).flatMap((part) => {
    const text = isObject(part) ? textOf(part) : undefined;
    return text === undefined ? [] : [text.slice(0, MOST_TEXT)];
  });
  return texts.length === 0 ? undefined : texts.join('\n');
}

function textOf({ text, content }: Record<string, unknown>): string | undefined {
  if (typeof text === 'string') return text;
  return isObject(content) && content['$case'] === 'text' && typeof content['value'] === 'string' ? content['value'] : undefined;
}
