import type { ResolvedStoreLimits } from '../limits.ts';
import { isReceiptOnly } from '../limits.ts';
import { fromText, toText } from '../key-text.ts';
import type { RecordWrite } from '../records.ts';
import type { SessionChange } from '../store.ts';
import type { Keys } from './keys.ts';
import { recordKeys, recordText, recordValue } from './records.ts';

/** The name of a record among the owed ones of a session. */
export function owedName({ kind, key }: Pick<RecordWrite, 'kind' | 'key'>): string {
  return toText(JSON.stringify([kind, key]));
}

/** The record an owed one is of. */
export function owedRecord(name: string, value: string): RecordWrite {
  const [kind, key] = JSON.parse(fromText(name)) as [string, string];
  return { kind, key, value: recordValue(value) };
}

/** What COMMIT is given. */
export interface CommitCall {
  readonly keys: string[];
  readonly args: string[];
}

/**
 * Puts a change into the words of COMMIT.
 *
 * @param id names this commit among all that were ever made
 * @param fresh an epoch for the case that the server has begun another life
 * @param isOwed whether records are somewhere else and are only written down
 */
export function commitCall(
  change: SessionChange,
  id: string,
  fresh: string,
  keys: Keys,
  keep: ResolvedStoreLimits,
  isOwed: boolean,
): CommitCall {
  const { session, epoch, seq, events, operations, removed, receipts = [], leases = [], holds = [], records = [] } = change;
  const base = change.base ?? { epoch, seq: seq - events.length };
  const own = keys.session(session);
  const only = isReceiptOnly(change);
  const { fields, gone } = only ? { fields: [], gone: [] } : headOf(change);
  const hint = only ? '' : `${id.slice(0, id.indexOf(':'))} ${epoch} ${seq} ${session}`;
  const args = [
    fresh,
    base.epoch,
    String(base.seq),
    epoch,
    String(seq),
    id,
    keys.channel(session),
    hint,
    seq > keep.events ? `${seq - Math.floor(keep.events) + 1}-0` : '',
    String(keep.eventBytes),
    String(Math.floor(keep.tombstones)),
    String(Math.floor(keep.receipts)),
    String(change.updatedAt - keep.receiptAge),
    `${change.reset ? 'reset' : ''},${isOwed ? 'owed' : ''}`,
  ];
  list(args, fields);
  list(
    args,
    gone.map((name) => [name]),
  );
  list(
    args,
    removed.map(({ key, attempt }) => [toText(key), String(attempt)]),
  );
  list(
    args,
    operations.map(({ key, position, record }) => [toText(key), `${position}:${JSON.stringify(record)}`]),
  );
  const kept = events.filter(({ seq: number }) => number > seq - keep.events);
  list(
    args,
    kept.map(({ seq: number, type, data }) => [String(number), type, data]),
  );
  list(
    args,
    receipts.map((receipt) => [toText(receipt.key), String(receipt.at), JSON.stringify(receipt)]),
  );
  list(
    args,
    leases.map(({ producer, ttl, expiresAt }) => [producer, `${ttl}:${expiresAt}`]),
  );
  list(
    args,
    holds.map(({ key, producer }) => [toText(key), producer ?? '']),
  );
  list(
    args,
    records.map((record) => [isOwed ? owedName(record) : toText(record.key), recordText(record.value)]),
  );
  const { head, tombstones, attempts, stream, reservation, receiptOrder } = own;
  const names = [head, own.operations, tombstones, attempts, stream, reservation, own.receipts, receiptOrder, own.leases, own.holds];
  if (isOwed) names.push(own.owed);
  else if (records.length > 0) names.push(keys.recordCounter, ...records.flatMap(({ kind }) => recordKeys(keys, kind)));
  return { keys: names, args };
}

/** Fields of the head that a change sets, and those that go. */
function headOf({ epoch, seq, updatedAt, activity, open, title, usage, card, runs }: SessionChange): {
  readonly fields: [string, string][];
  readonly gone: string[];
} {
  const fields: [string, string][] = [
    ['epoch', epoch],
    ['seq', String(seq)],
    ['updatedAt', String(updatedAt)],
    ['activity', activity],
    ['open', open ? '1' : '0'],
  ];
  const gone: string[] = [];
  if (title === undefined) gone.push('title');
  else fields.push(['title', title]);
  if (usage === undefined) gone.push('usage');
  else fields.push(['usage', JSON.stringify(usage)]);
  if (card) fields.push(['card', JSON.stringify(card)]);
  if (runs) fields.push(['runs', JSON.stringify(runs)]);
  return { fields, gone };
}

function list(args: string[], rows: readonly (readonly string[])[]): void {
  args.push(String(rows.length));
  for (const row of rows) args.push(...row);
}
