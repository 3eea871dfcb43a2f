import { activity, displayTitle, formatPercent, percent } from '@sitrep/schema/select';
import type { Activity, Language } from '@sitrep/schema/select';
import type { Operation, Run } from '@sitrep/schema';
import type { Phrase } from '../locales/phrases.ts';
import { sentence } from './punctuation.ts';
import { tr } from './tr.ts';
import { prepareVoice, speak } from './voice.ts';
import type { Priority } from './voice.ts';

const RUN_ENDS = {
  completed: 'Run finished',
  failed: 'Run failed',
  cancelled: 'Run cancelled',
  interrupted: 'Run interrupted',
} as const satisfies Partial<Record<Run['state'], Phrase>>;

/** Percentages worth a word, for those who ask for them. */
const MILESTONES = [25, 50, 75];
/** Milliseconds between two of them. */
const MILESTONE_PAUSE = 10_000;

/** Who has it speak. */
interface AnnouncerHost {
  readonly language: Language;
  /** True where milestones are asked for. */
  readonly milestones?: boolean;
}

/** What is remembered of an operation: its attempt, the boundary it stood behind last, and what it asked there. */
interface Spoken {
  readonly attempt: number;
  readonly boundary: Phrase | undefined;
  readonly prompt: string | undefined;
  /** The highest milestone it has passed, percent. */
  readonly milestone: number;
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
  #runs = new Map<string, string>();
  #primed = false;
  #milestoneAt = -Infinity;
  readonly #host: AnnouncerHost;

  /** `host` says in which language, and how much. */
  constructor(host: AnnouncerHost) {
    this.#host = host;
    prepareVoice();
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
  }

  /** Forgets everything: another session is shown, or none. */
  reset(): void {
    this.#spoken.clear();
    this.#runs.clear();
    this.#primed = false;
  }

  #operation(key: string, operation: Operation): void {
    const before = this.#spoken.get(key);
    const now = boundary(operation);
    const same = before !== undefined && before.attempt === operation.attempt;
    const prompt = operation.blockedOn?.prompt;
    const milestone = this.#milestone(operation, same ? before : undefined);
    this.#spoken.set(key, { attempt: operation.attempt, boundary: now ?? (same ? before.boundary : undefined), prompt, milestone });
    if (same && before.boundary === now && before.prompt === prompt) return;
    if (!this.#primed || now === undefined) return;
    // What goes on again after it was held has started before.
    if (same && now === 'started' && before.boundary !== undefined) return;
    // A nested operation starts and finishes within its parent; only what needs somebody, or went wrong, is news.
    if (operation.parent !== undefined && (now === 'started' || now === 'finished')) return;
    const { language } = this.#host;
    const what = tr(now, language, { prompt: prompt ?? '' });
    const priority = now === 'failed' || now === 'denied' ? 'high' : 'normal';
    this.#say(tr('{title}: {what}', language, { title: displayTitle(operation, language), what }), priority);
  }

  /** The end of a turn is news where no operation has already said so. */
  #takeRuns(runs: readonly Run[], operations: readonly Operation[]): void {
    const next = new Map<string, string>();
    for (const run of runs) {
      const before = this.#runs.get(run.run);
      next.set(run.run, run.state);
      if (!this.#primed || run.parent !== undefined || before === run.state || run.state === 'running') continue;
      if (before === undefined && operations.length === 0) continue;
      this.#say(tr(RUN_ENDS[run.state], this.#host.language), run.state === 'failed' ? 'high' : 'normal');
    }
    this.#runs = next;
  }

  #say(words: string, priority: Priority): void {
    const { language } = this.#host;
    speak(sentence(words, language), priority, (n) => tr('{n} more.', language, { n }));
  }

  /** The highest milestone passed by now; said where the host asks for them, and not one after the other in a hurry. */
  #milestone(operation: Operation, before: Spoken | undefined): number {
    const done = operation.state === 'running' ? (percent(operation) ?? 0) : 0;
    const passed = MILESTONES.findLast((milestone) => done >= milestone) ?? 0;
    const last = before?.milestone ?? 0;
    if (passed <= last || !this.#primed || !before || !this.#host.milestones || operation.parent !== undefined)
      return Math.max(passed, last);
    const now = performance.now();
    if (now - this.#milestoneAt < MILESTONE_PAUSE) return last;
    this.#milestoneAt = now;
    const { language } = this.#host;
    this.#say(
      tr('{title}: {what}', language, { title: displayTitle(operation, language), what: formatPercent(passed, language) }),
      'normal',
    );
    return passed;
  }
}
