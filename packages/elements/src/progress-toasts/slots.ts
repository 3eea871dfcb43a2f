import type { News, ToastKind } from './news.ts';

interface Slot {
  attention?: News | undefined;
  status?: News | undefined;
  /** When it came, for the order. */
  at: number;
  /** Milliseconds a success still stays, and when the count began, if it runs. */
  left: number;
  since?: number | undefined;
}

/** What matters more stands before what matters less. */
export const RANK: Readonly<Record<ToastKind, number>> = { attention: 0, failed: 1, done: 2 };

/**
 * One place for each session. What the session needs of a person stands before how it ended, and a newer notice of the same sort
 * takes the place of the older. A success goes by itself, counted only while it is shown and may be read.
 */
export class Slots {
  readonly #slots = new Map<string, Slot>();
  readonly #changed: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #count = 0;
  #running = false;

  /** `changed` is called when a success has gone. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The toasts, those that matter most first, then the newest. */
  get all(): readonly News[] {
    return [...this.#slots.values()].sort((a, b) => RANK[shown(a).kind] - RANK[shown(b).kind] || b.at - a.at).map((slot) => shown(slot));
  }

  /** Puts a notice in the place of its session. `stay`: milliseconds a success stays. True if it is now the one to be seen. */
  put(news: News, stay: number): boolean {
    const { session } = news;
    const slot: Slot = this.#slots.get(session) ?? { at: 0, left: 0 };
    slot[news.slot] = news;
    slot.at = ++this.#count;
    slot.left = stay;
    slot.since = undefined;
    this.#slots.set(session, slot);
    return shown(slot) === news;
  }

  /** Takes away what a session has to say in one of its two ways. */
  empty(session: string, which: News['slot']): void {
    const slot = this.#slots.get(session);
    if (!slot) return;
    slot[which] = undefined;
    if (!slot.attention && !slot.status) this.#slots.delete(session);
  }

  /** Whether something is asked in the place of this session. */
  asks(session: string): boolean {
    return this.#slots.get(session)?.attention !== undefined;
  }

  /** Empties the place of a session. */
  drop(session: string): void {
    this.#slots.delete(session);
  }

  /** Counts the time of these sessions on, or lets all time stand still. `stay` 0 counts none. */
  count(visible: readonly string[], running: boolean): void {
    const now = performance.now();
    let next = Infinity;
    this.#running = running;
    for (const [session, slot] of this.#slots) {
      if (slot.since !== undefined) slot.left -= now - slot.since;
      const fades = shown(slot).kind === 'done' && Number.isFinite(slot.left) && visible.includes(session);
      slot.since = running && fades ? now : undefined;
      if (slot.since !== undefined) next = Math.min(next, slot.left);
    }
    clearTimeout(this.#timer);
    this.#timer = next === Infinity ? undefined : setTimeout(() => this.#sweep(), Math.max(0, next));
  }

  /** Takes everything away. */
  clear(): void {
    this.#slots.clear();
    clearTimeout(this.#timer);
  }

  #sweep(): void {
    const now = performance.now();
    for (const [session, { since, left }] of this.#slots)
      if (since !== undefined && this.#running && left - (now - since) <= 0) this.drop(session);
    this.#changed();
  }
}

const shown = ({ attention, status }: Slot): News => (attention ?? status)!;
