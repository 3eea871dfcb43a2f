import type { Notice, NoticeSlot, NoticeStep } from '@sitrep/schema/select';
import type { RecordWrite } from '../store/records.ts';
import { recordKey } from './record-key.ts';

/** Kind of the records below. */
export const OWED = 'push.owed';

/** What a session has to tell and nobody was told of yet: stored in the commit of what it tells of. */
export interface Owed {
  readonly session: string;
  readonly slot: NoticeSlot;
  /** The notice; null when its place is to be empty. */
  readonly notice: Notice | null;
  /** The position it tells of, `epoch:seq`. */
  readonly id: string;
  /** When it was committed, epoch milliseconds. */
  readonly at: number;
}

/** The records of a commit. Of each place there is the newest that is to be noticed, and the newest that only replaces. */
export function owedBy(
  steps: ReadonlyMap<NoticeSlot, NoticeStep>,
  { session, epoch, seq, at }: { readonly session: string; readonly epoch: string; readonly seq: number; readonly at: number },
): readonly RecordWrite[] {
  return [...steps].map(([slot, step]) => {
    const owed: Owed = { session, slot, notice: 'show' in step ? step.show : null, id: `${epoch}:${seq}`, at };
    return { kind: OWED, key: recordKey(session, slot, owed.notice?.alert ? 'alert' : 'quiet'), value: JSON.stringify(owed) };
  });
}
