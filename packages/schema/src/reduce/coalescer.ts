import { isFinal } from '../wire/states.ts';
import type { ProgressEvent } from '../wire/event.ts';
import type { OperationEvent } from '../wire/operation.ts';
import { LIMITS } from '../wire/limits.ts';
import type { Applied } from './applied.ts';

const NUMBER = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?';
/** What may differ from one update to the next, in the forms that every check lets pass; all else has to stay as it was. */
const VARYING: ReadonlyMap<string, string> = new Map([
  ['seq', '(?:0|[1-9]\\d*)'],
  // The years 2001 to 2096.
  ['at', '[1-3]\\d{12}'],
  // Plain text has nothing to be cleaned, and nothing that JSON would have to escape.
  ['message', '"[ !#-\\[\\]-~]*"'],
  ['current', NUMBER],
  ['total', NUMBER],
  ['fraction', NUMBER],
]);
/** Most characters after the id: so many make neither a message too long nor a number infinite, and nobody has to count. */
const MAX_REST = 300;
/** Digits that any sequence may have without being rounded. */
const MAX_DIGITS = 15;
const SEQ = ',"seq":';
const QUOTE = 34;

/** Expressions kept; streams have a handful of shapes. */
const MAX_SHAPES = 64;
/** So many expressions more than they were of use, and the stream is none to coalesce. */
const MAX_WASTED = 256;
/** Characters offered before what is held back has to be read: engines may keep as much of the stream alive for it. */
const MAX_PASSED = 4_194_304;

/** One operation whose updates may be held back. */
interface Held {
  run: string | undefined;
  /** What an update has to look like; undefined until a second one was read. */
  shape: RegExp | undefined;
  /** Number of the newest update, read or held back, and of the one just looked at. */
  seq: number;
  next: number;
  /** The newest update, not read yet. */
  pending: string | undefined;
  /** True while it stands in the list of those that may have one. */
  listed: boolean;
}

/**
 * Keeps only the newest of the updates of each operation while they are still JSON text: of many that nobody looks at one
 * by one, one has to be parsed. What comes out is the same as if all had been applied.
 *
 * An event is a patch, so a later one replaces an earlier one only if it says everything that one did. Held back is
 * therefore only what differs from an update already applied to the same operation by nothing but a higher `seq`, the
 * time, and new values of `message`, `current`, `total` or `fraction`: same fields in the same order, same state, same
 * attempt and run, all else letter for letter; and only in a form that is certain to pass the check and to be applied.
 * Anything else (a final state, another field, a sequence that does not rise) is not held back, and comes after what was
 * held back for its operation.
 *
 * The owner offers each text in order: `match`, then `put`. What does not match is parsed, comes after what `before` gives,
 * is checked and applied, and goes to `learn`. Before the owner reads its records it applies what `release` gives. Bounded in operations and in text.
 */
export class Coalescer {
  readonly #prefix: string;
  readonly #held = new Map<string, Held>();
  readonly #shapes = new Map<string, RegExp>();
  #waiting: Held[] = [];
  #passed = 0;
  #wasted = 0;

  constructor(session: string) {
    this.#prefix = `{"type":"operation","session":${JSON.stringify(session)},"id":`;
  }

  /** True when so much was held back that it has to be released. */
  get full(): boolean {
    return this.#passed > MAX_PASSED;
  }

  /** The operation for which this text may be held back, to be given to `put`; undefined when it has to be read. */
  match(text: string): object | undefined {
    this.#passed += text.length;
    const end = this.#endOfId(text);
    const held = end < 0 ? undefined : this.#held.get(text.slice(this.#prefix.length, end));
    if (held?.shape === undefined || text.length - end > MAX_REST || !held.shape.test(text)) return undefined;
    const start = text.indexOf(SEQ, end) + SEQ.length;
    let seq = 0;
    let at = start;
    for (let digit; (digit = text.charCodeAt(at) - 48) >= 0 && digit <= 9; at++) seq = seq * 10 + digit;
    held.next = seq;
    return seq > held.seq && at - start <= MAX_DIGITS ? held : undefined;
  }

  /** Holds back a text that `match` just answered for, in place of the one held back before. It counts as applied. */
  put(matched: object, text: string): void {
    const held = matched as Held;
    if (held.pending !== undefined) this.#wasted--;
    if (!held.listed) this.#waiting.push(held);
    held.listed = true;
    held.pending = text;
    held.seq = held.next;
  }

  /**
   * What has to be applied before a frame that did not match, once it was parsed: what its own operation held back, or all
   * of it before anything that may concern another one, such as an operation that begins and lets an older one go.
   */
  before(value: unknown): readonly string[] {
    const { type, id, run } = (value ?? {}) as Partial<OperationEvent>;
    const held = type === 'operation' ? this.#held.get(JSON.stringify(id)) : undefined;
    if (held === undefined || held.run !== run) return this.release();
    const { pending } = held;
    held.pending = undefined;
    return pending === undefined ? [] : [pending];
  }

  /** Everything held back, to be parsed, checked and applied now. Nothing is held back afterwards. */
  release(): readonly string[] {
    const texts: string[] = [];
    this.#passed = 0;
    if (this.#waiting.length === 0) return texts;
    for (const held of this.#waiting) {
      if (held.pending !== undefined) texts.push(held.pending);
      held.pending = undefined;
      held.listed = false;
    }
    this.#waiting = [];
    return texts;
  }

  /**
   * Hears of an event that was applied with this answer; `text` is what an operation was read from, where it was offered. What
   * is of something else than operations, cards and the session itself makes it `forget`.
   */
  learn(text: string | undefined, event: ProgressEvent, { outcome, keys }: Applied): void {
    if (event.type === 'card' || event.type === 'session') return;
    if (event.type !== 'operation' || text === undefined) return this.forget();
    // What let another operation go, or ended before its time, spoils what is known of others.
    if (keys.length > 1) return this.forget();
    // Not cut out of the text, which would stay alive as long as its part.
    const key = JSON.stringify(event.id);
    const { seq, state } = event;
    const ours = text.startsWith(this.#prefix) && text.startsWith(key, this.#prefix.length);
    // Who is waited for must hear of it at once, so what blocks is never held back.
    if (!ours || outcome !== 'applied' || seq === undefined || (state !== undefined && (state === 'blocked' || isFinal(state)))) {
      this.#held.delete(key);
      return;
    }
    const held = this.#held.get(key);
    if (held === undefined) {
      if (this.#held.size >= LIMITS.operations) this.forget();
      this.#held.set(key, { run: event.run, shape: undefined, seq, next: seq, pending: undefined, listed: false });
    } else {
      held.run = event.run;
      held.seq = seq;
      held.shape = this.#wasted > MAX_WASTED ? undefined : this.#shapeOf(text, this.#prefix.length + key.length);
    }
  }

  /** Forgets what updates look like: something happened that may concern any operation. Nothing may be held back now. */
  forget(): void {
    this.#held.clear();
    this.#wasted = 0;
  }

  /** Where the id ends in a text that begins as ours do, which is for others to see; -1 when that cannot be. */
  #endOfId(text: string): number {
    const start = this.#prefix.length;
    return text.charCodeAt(start) === QUOTE ? text.indexOf('"', start + 1) + 1 || -1 : text.indexOf(',', start);
  }

  /** What the next update has to look like, whatever its id; undefined for a text that is not written as JSON.stringify does. */
  #shapeOf(text: string, end: number): RegExp | undefined {
    this.#wasted++;
    const event = JSON.parse(text) as Record<string, unknown>;
    const at = text.indexOf(SEQ, end);
    if (JSON.stringify(event) !== text || at < 0 || text.includes(SEQ, at + 1)) return undefined;
    let rest = '';
    for (const key of Object.keys(event).slice(3)) {
      const value = JSON.stringify(event[key]);
      const pattern = VARYING.get(key);
      const varies = pattern !== undefined && new RegExp(`^${pattern}$`).test(value);
      if (key === 'seq' && !varies) return undefined;
      rest += `,${literal(JSON.stringify(key))}:${varies ? pattern : literal(value)}`;
    }
    const known = this.#shapes.get(rest);
    if (known !== undefined || this.#shapes.size >= MAX_SHAPES) return known;
    const shape = new RegExp(`^${literal(this.#prefix)}(?:"[^"\\\\]*"|-?\\d+)${rest}\\}$`);
    this.#shapes.set(rest, shape);
    return shape;
  }
}

/** The text as an expression that matches it alone. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
