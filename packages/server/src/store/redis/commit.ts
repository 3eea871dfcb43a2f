import type { ResolvedStoreLimits } from '../limits.ts';
import { isReceiptOnly } from '../limits.ts';
import { toText } from '../key-text.ts';
import type { SessionChange } from '../store.ts';
import type { Keys } from './keys.ts';

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
 */
export function commitCall(change: SessionChange, id: string, fresh: string, keys: Keys, keep: ResolvedStoreLimits): CommitCall {
  const { session, epoch, seq, events, operations, removed, receipts = [], leases = [], holds = [] } = change;
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
    change.reset ? 'reset' : '-',
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
  const { head, tombstones, attempts, stream, reservation, receiptOrder } = own;
  return {
    keys: [head, own.operations, tombstones, attempts, stream, reservation, own.receipts, receiptOrder, own.leases, own.holds],
    args,
  };
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
