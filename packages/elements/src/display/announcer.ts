import { activity, displayTitle } from '@sitrep/schema/select';
import type { Activity, Language } from '@sitrep/schema/select';
import type { Operation, Run } from '@sitrep/schema';
import type { Phrase } from '../locales/phrases.ts';
import { tr } from './tr.ts';

/** Milliseconds between emptying the region and filling it again, so that the same words twice are heard twice. */
const PAUSE = 100;
/** Sentences said at once at most; what a flood of changes adds beyond that is on screen. */
const SENTENCES = 3;

const RUN_ENDS = {
  completed: 'Run finished',
  failed: 'Run failed',
  cancelled: 'Run cancelled',
  interrupted: 'Run interrupted',
} as const satisfies Partial<Record<Run['state'], Phrase>>;

/** What is remembered of an operation: its attempt, the boundary it stood behind last, and what it asked there. */
interface Spoken {
  readonly attempt: number;
  readonly boundary: Phrase | undefined;
  readonly prompt: string | undefined;
}

/** The boundary an operation stands behind; values and messages are none. */
function boundary(operation: Operation): Phrase | undefined {
  const now: Activity = activity(operation);
  if (operation.state === 'pending' || (operation.ambient && now !== 'needs-you' && now !== 'failed')) return undefined;
  switch (now) {
    case 'needs-you':
      return operation.blockedOn?.prompt ? 'needs you: {prompt}' : 'needs you';
    case 'failed':
      return operation.state as 'failed' | 'denied';
    case 'done':
      return 'finished';
    case 'working':
    case 'waiting':
      return 'started';
    default:
      return undefined;
  }
}

/**
 * Says what a reader who does not look must know: started, needs you, failed, finished; each once. What is there when
 * the element first sees a session is not news and stays unsaid.
 */
export class Announcer {
  readonly #spoken = new Map<string, Spoken>();
  readonly #pending: string[] = [];
  #runs = new Map<string, string>();
  #primed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #region: () => Element | null;
  readonly #language: () => Language;

  /** `region` answers the live region, if it is drawn; `language` what is spoken there. */
  constructor(region: () => Element | null, language: () => Language) {
    this.#region = region;
    this.#language = language;
  }

  /** Takes in where everything stands now and says what crossed a boundary. */
  take(operations: readonly Operation[], runs: readonly Run[]): void {
    const known = new Set<string>();
    for (const operation of operations) {
      const key = JSON.stringify([operation.run, operation.id]);
      known.add(key);
      this.#operation(key, operation);
    }
    for (const key of this.#spoken.keys()) if (!known.has(key)) this.#spoken.delete(key);
    this.#takeRuns(runs, operations);
    this.#primed = true;
    if (this.#pending.length > 0) this.#say();
  }

  /** Forgets everything: another session is shown, or none. */
  reset(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.length = 0;
    this.#spoken.clear();
    this.#runs.clear();
    this.#primed = false;
  }

  #operation(key: string, operation: Operation): void {
    const before = this.#spoken.get(key);
    const now = boundary(operation);
    const same = before !== undefined && before.attempt === operation.attempt;
    const prompt = operation.blockedOn?.prompt;
    if (same && before.boundary === now && before.prompt === prompt) return;
    this.#spoken.set(key, { attempt: operation.attempt, boundary: now ?? (same ? before.boundary : undefined), prompt });
    if (!this.#primed || now === undefined) return;
    // What goes on again after it was held has started before.
    if (same && now === 'started' && before.boundary !== undefined) return;
    // A nested operation starts and finishes within its parent; only what needs somebody, or went wrong, is news.
    if (operation.parent !== undefined && (now === 'started' || now === 'finished')) return;
    const language = this.#language();
    const what = tr(now, language, { prompt: prompt ?? '' });
    this.#queue(tr('{title}: {what}', language, { title: displayTitle(operation, language), what }));
  }

  /** The end of a turn is news where no operation has already said so. */
  #takeRuns(runs: readonly Run[], operations: readonly Operation[]): void {
    const next = new Map<string, string>();
    for (const run of runs) {
      const before = this.#runs.get(run.run);
      next.set(run.run, run.state);
      if (!this.#primed || run.parent !== undefined || before === run.state || run.state === 'running') continue;
      if (before === undefined && operations.length === 0) continue;
      this.#queue(tr(RUN_ENDS[run.state], this.#language()));
    }
    this.#runs = next;
  }

  #queue(sentence: string): void {
    const ended = /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
    if (!this.#pending.includes(ended)) this.#pending.push(ended);
  }

  #say(): void {
    const target = this.#region();
    if (target) target.textContent = '';
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const at = this.#region();
      const words = this.#pending.splice(0);
      const more = words.length - SENTENCES;
      if (at) at.textContent = words.slice(-SENTENCES).join(' ') + (more > 0 ? ` ${tr('{n} more.', this.#language(), { n: more })}` : '');
    }, PAUSE);
  }
}
