import { sessionNotices } from '@sitrep/schema/select';
import type { Language, Notice, NoticeChange, NoticeSlot } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import type { SessionState } from '../display/feed.ts';
import { changesBetween } from '../page/changes.ts';
import type { Told } from '../page/told.ts';

/** What becomes of a toast: `attention` and `failed` stay, `done` goes by itself. */
export type ToastKind = 'attention' | 'failed' | 'done';

/** Something to tell, or a place that is to be empty. */
export type Step = News | { readonly close: true };

/** Something to tell. */
export interface News {
  readonly slot: NoticeSlot;
  readonly session: string;
  readonly kind: ToastKind;
  /** False where it only takes the place of what was told. */
  readonly alert: boolean;
  readonly operation: Operation | undefined;
  /** Title of the session and what there is to tell, as a reader reads it. */
  words(language: Language): Pick<Notice, 'title' | 'body'>;
}

/** Finds out what is new in one session. What is there at first is no news, and what was told is none a second time. */
export class Reporter {
  readonly #told: Told;
  #before: SessionState | undefined;

  /** `told`: what was told of this session by anybody. */
  constructor(told: Told) {
    this.#told = told;
  }

  /** Takes in where the session stands and answers what is to be told. */
  take(session: SessionState): readonly Step[] {
    if (!session.loaded) return [];
    const before = this.#before;
    this.#before = session;
    if (!before || before.session !== session.session) return [];
    return changesBetween(before, session).flatMap((change) =>
      sessionNotices(change, session).flatMap((step): readonly Step[] => {
        if ('close' in step) return [{ close: true }];
        const { show } = step;
        // What a person cancelled is not told back.
        if (show.slot === 'status' && (!show.alert || !this.#told.isNew(session.session, change))) return [];
        const words = (language: Language): Notice =>
          sessionNotices(change, session, language)
            .flatMap((one) => ('show' in one && one.show.slot === show.slot ? [one.show] : []))
            .at(-1) ?? show;
        const operation = 'operation' in change ? change.operation : undefined;
        return [{ slot: show.slot, session: show.session, kind: kindOf(show, change), alert: show.alert, operation, words }];
      }),
    );
  }
}

function kindOf({ slot }: Notice, change: NoticeChange): ToastKind {
  if (slot === 'attention') return 'attention';
  const state = 'run' in change ? change.run.state : 'operation' in change ? change.operation.state : undefined;
  return state === 'failed' || state === 'denied' ? 'failed' : 'done';
}
