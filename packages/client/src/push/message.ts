/** What the gateway sends to a service worker, as JSON. */
export interface PushMessage {
  readonly session: string;
  readonly slot: 'status' | 'attention';
  /** Name of the place it stands in: the same name replaces. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** True: to be noticed. False: it replaces without a sound. */
  readonly alert: boolean;
  /** The same in every repeat of one message. */
  readonly id: string;
  /** When it was true, epoch milliseconds by the gateway's clock. */
  readonly at: number;
  /** Tags of places that are to be empty. */
  readonly close: readonly string[];
}

/** Reads a message, or answers undefined for what is none of ours. Never throws. */
export function readPushMessage(text: string | undefined): PushMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('sitrep' in value)) return undefined;
  const { session, slot, tag, title, body, alert, id, at, close } = value as Record<string, unknown>;
  if (typeof session !== 'string' || typeof tag !== 'string' || tag === '' || typeof title !== 'string') return undefined;
  return {
    session,
    slot: slot === 'attention' ? 'attention' : 'status',
    tag,
    title,
    body: typeof body === 'string' ? body : '',
    alert: alert === true,
    id: String(id),
    at: typeof at === 'number' ? at : 0,
    close: Array.isArray(close) ? close.filter((each): each is string => typeof each === 'string') : [],
  };
}
