import type { Language } from '@sitrep/schema/select';
import { sentence } from '../display/punctuation.ts';
import { tr } from '../display/tr.ts';
import { prepareVoice, speak } from '../display/voice.ts';
import type { News, ToastKind } from './news.ts';
import { RANK } from './slots.ts';

/** Time in which what comes together is said together, milliseconds. */
const TOGETHER = 100;
/** Time in which one sort is spoken of once, milliseconds: what follows is said in one go at its end. */
const QUIET = 5_000;

/**
 * Says the notices, of many at once a few and how many more there are. A success waits until it has been quiet for a while; a failure
 * does not wait because of one, nor does what is asked. Nothing of that is lost: what was held back is said later, as long as it is true.
 */
export class Teller {
  readonly #language: () => Language;
  readonly #due = new Map<string, News>();
  readonly #last = new Map<ToastKind, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #at = Infinity;

  /** `language` in which it speaks when it does. */
  constructor(language: () => Language) {
    this.#language = language;
  }

  /** Says it as soon as that may be. In each of its two ways a session says one thing at a time, the one that matters more. */
  tell(news: News): void {
    const held = this.#due.get(placeOf(news));
    if (held && RANK[held.kind] < RANK[news.kind]) return;
    this.#due.set(placeOf(news), news);
    prepareVoice();
    const now = performance.now();
    const last = news.kind === 'done' ? Math.max(...this.#last.values()) : (this.#last.get(news.kind) ?? -Infinity);
    const at = Math.max(now + TOGETHER, last + QUIET);
    if (at >= this.#at) return;
    this.#at = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#say, at - now);
  }

  /** What a session had to say is not to be said any more; of one sort, if that is given. */
  forget(session: string, slot?: News['slot']): void {
    for (const [place, news] of this.#due) if (news.session === session && (!slot || news.slot === slot)) this.#due.delete(place);
  }

  /** Says nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#at = Infinity;
    this.#due.clear();
  }

  readonly #say = (): void => {
    // Of too many the last ones are said: those that matter more.
    const all = [...this.#due.values()].sort((a, b) => RANK[b.kind] - RANK[a.kind]);
    this.stop();
    const language = this.#language();
    const now = performance.now();
    for (const { kind, words } of all) {
      this.#last.set(kind, now);
      const { title, body } = words(language);
      const said = sentence(tr('{title}: {what}', language, { title, what: body }), language);
      speak(said, kind === 'failed' ? 'high' : 'normal', (n) => tr('{n} more.', language, { n }));
    }
  };
}

const placeOf = ({ slot, session }: News): string => `${slot} ${session}`;
