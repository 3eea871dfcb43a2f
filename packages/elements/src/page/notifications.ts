import { sessionNotices } from '@sitrep/schema/select';
import type { Language, Notice } from '@sitrep/schema/select';
import type { SessionState } from '../display/feed.ts';
import { changesBetween } from './changes.ts';
import { isLookedAt, Looking } from './looking.ts';
import { Told } from './told.ts';

/** Milliseconds for which the other tabs of the same browser leave a notice to the one that shows it. */
const MINE = 5_000;

/**
 * Tells somebody who is looking elsewhere what ended and what needs them: by the system's notifications, in the two places of the
 * session, each said once whatever the number of tabs. Needs the permission, which the page asks for at a moment that makes sense.
 */
export class NotificationSignal {
  readonly #open: ((session: string) => void) | undefined;
  readonly #shown = new Map<string, Notification>();
  /** What is to stand in each place: it may be over before it is shown. */
  readonly #due = new Map<string, Notice>();
  readonly #looking = new Looking();
  readonly #told = new Told();
  #before: SessionState | undefined;

  /** `open` is called when somebody follows a notification; the page is brought to the front first. */
  constructor(open?: (session: string) => void) {
    this.#open = open;
    document.addEventListener('visibilitychange', this.#seen);
    window.addEventListener('focus', this.#seen);
    window.addEventListener('blur', this.#seen);
  }

  /** Takes in where the session stands. What is there at first is no news. */
  take(session: SessionState, language: Language): void {
    const before = this.#before;
    if (!session.loaded) return;
    this.#before = session;
    this.#seen();
    if (!before || before.session !== session.session) return;
    for (const change of changesBetween(before, session)) {
      for (const step of sessionNotices(change, session, language)) {
        if ('close' in step) this.#close(step.close);
        else if (step.show.slot === 'status' && !this.#told.isNew(session.session, change)) continue;
        else if (!isSeen()) void this.#show(step.show);
      }
    }
  }

  /** Takes away what is shown. */
  stop(): void {
    document.removeEventListener('visibilitychange', this.#seen);
    window.removeEventListener('focus', this.#seen);
    window.removeEventListener('blur', this.#seen);
    this.#looking.at(undefined);
    for (const tag of this.#due.keys()) this.#close(tag);
  }

  async #show(notice: Notice): Promise<void> {
    if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
    const { title, body, tag, alert, session, slot } = notice;
    this.#due.set(tag, notice);
    if ((await isLookedAt(session)) || !(await isMine(notice)) || this.#due.get(tag) !== notice) return;
    // `renotify` is not in every platform's types: the same place alerts again only for what is worth it.
    // What somebody is waited for with stays until they have seen it.
    const options: NotificationOptions & { readonly renotify: boolean } = {
      body,
      tag,
      renotify: alert,
      silent: !alert,
      requireInteraction: slot === 'attention',
    };
    try {
      const shown = new Notification(title, options);
      shown.onclick = () => {
        window.focus();
        shown.close();
        this.#open?.(session);
      };
      this.#shown.set(tag, shown);
    } catch {
      // Some platforms take notifications from a service worker only; pushes come through one.
    }
  }

  #close(tag: string): void {
    this.#due.delete(tag);
    this.#shown.get(tag)?.close();
    this.#shown.delete(tag);
  }

  /** Whoever looks at the page has been told. */
  readonly #seen = (): void => {
    const seen = isSeen();
    this.#looking.at(seen ? this.#before?.session : undefined);
    if (seen) for (const tag of this.#due.keys()) this.#close(tag);
  };
}

const isSeen = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** True in one of the tabs that want to say the same. Without locks every tab is on its own; the tag still makes them one notice. */
function isMine({ tag, body }: Notice): Promise<boolean> {
  const { locks } = navigator as { readonly locks?: LockManager };
  if (!locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const name = `sitrep ${tag} ${body}`;
    locks
      .request(name, { ifAvailable: true }, async (lock) => {
        resolve(lock !== null);
        if (lock) await new Promise((end) => setTimeout(end, MINE));
      })
      .catch(() => resolve(true));
  });
}
