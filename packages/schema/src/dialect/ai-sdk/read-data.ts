/** Data parts: ours carry our events; of others, lists become the card, and what has a state becomes an operation. */
import { checkEvent } from '../../check/check-event.ts';
import { isObject, isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { ProgressEvent } from '../../wire/event.ts';
import { cardEvent, nextRevision } from '../card-event.ts';
import { looseCard, looseOperation } from '../loose-content.ts';
import { rebound } from '../whole-event.ts';
import { AI_SDK_PART, operationOf, runOf } from './chunks.ts';
import type { AiSdkMemory, Chunk, Reading } from './chunks.ts';
import type { Issue } from '../../check/issue.ts';

/** What a data part says: events and what is remembered, or why an event of ours in it cannot be read. */
export type DataRead =
  | { readonly ok: true; readonly events: readonly ProgressEvent[]; readonly memory: AiSdkMemory }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** `isNews` tells a chunk, which says what changed, from a part of a stored message, which says how it stands. */
export function readData(part: Chunk, reading: Reading, path: string, isNews: boolean): DataRead {
  const { data } = part;
  const { context, memory, mended } = reading;
  if (part['type'] === AI_SDK_PART) {
    if (isNews && hasNoNews(data)) return { ok: true, events: [], memory };
    const checked = checkEvent(isNews ? news(data) : withoutChanged(data));
    if (!checked.ok) return { ok: false, issues: checked.issues.map((issue) => ({ ...issue, path: `${path}/data${issue.path}` })) };
    return { ok: true, events: [rebound(checked.value, context)], memory };
  }
  if (!isObject(data)) return { ok: true, events: [], memory };
  const run = runOf(reading);
  const card = looseCard(data, `${path}/data`, mended);
  if (card !== undefined) {
    const revision = nextRevision(context, memory);
    return { ok: true, events: [cardEvent({ ...context, run }, revision, context.at, card)], memory: { ...memory, revision } };
  }
  const name = String(part['type']).slice('data-'.length);
  // Without an id every part is another one, and nothing could move it again.
  const id = isText(part['id'], 1, LIMITS.id) ? `data/${name}/${part['id']}` : undefined;
  if (!isText(id, 1, LIMITS.id)) return { ok: true, events: [], memory };
  const loose = looseOperation(data, name, `${path}/data`, mended);
  if (loose === undefined) return { ok: true, events: [], memory };
  const event = operationOf(reading, { id, run }, { kind: 'data', ...loose.said }, loose.word, { type: part['type'], id: part['id'] });
  return { ok: true, events: [event], memory };
}

/** Fields that name a record. */
const PLACE: ReadonlySet<string> = new Set(['type', 'session', 'id', 'run', 'at']);

/** What the name of a field can be. */
const FIELD = /^[a-z][A-Za-z]{0,40}$/;

/**
 * The event whose whole record a part of ours holds: the fields named in `changed`, those that are gone as cleared.
 * Without such a list the whole is what is new.
 */
function news(data: unknown): unknown {
  if (!isObject(data) || !Array.isArray(data['changed'])) return data;
  const changed = new Set<unknown>(data['changed'].slice(0, 100));
  const kept = Object.entries(data).filter(([name]) => PLACE.has(name) || changed.has(name));
  const cleared = [...changed].filter((name): name is string => typeof name === 'string' && FIELD.test(name) && !Object.hasOwn(data, name));
  return Object.fromEntries([...kept, ...cleared.map((name) => [name, null] as const)]);
}

/** A part that only shows what other events imply. */
function hasNoNews(data: unknown): boolean {
  return isObject(data) && Array.isArray(data['changed']) && data['changed'].length === 0;
}

function withoutChanged(data: unknown): unknown {
  if (!isObject(data) || !Object.hasOwn(data, 'changed')) return data;
  const { changed: _, ...rest } = data;
  return rest;
}
