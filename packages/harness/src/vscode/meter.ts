import { amount, displayTitle, percent, stateWord } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema/wire';
import type { VsCodeProgress, VsCodeReport } from './api.ts';

/**
 * One operation as the calls that draw it. The editor adds up increments and cannot take one back: what falls is not
 * drawn until it is passed again, and the sum never goes over 100. Without an amount there is no increment, and the bar
 * stays endless.
 */
export class VsCodeMeter {
  readonly #progress: VsCodeProgress;
  #sum = 0;
  #message = '';

  constructor(progress: VsCodeProgress) {
    this.#progress = progress;
  }

  /** Draws what changed of an operation and of what goes on inside it; nothing when nothing did. */
  show(operation: Operation, inner?: Operation): void {
    const done = percent(operation) ?? 0;
    const increment = Math.min(100, done) - this.#sum;
    const message = messageOf(operation, inner);
    const report: VsCodeReport = {};
    if (message !== this.#message) report.message = message;
    if (increment > 0) report.increment = increment;
    if (report.message === undefined && report.increment === undefined) return;
    this.#message = message;
    this.#sum += Math.max(0, increment);
    this.#progress.report(report);
  }
}

/** What stands beside the title: the message or what it waits for, and the amount; without a message of its own what goes on inside. */
function messageOf(operation: Operation, inner: Operation | undefined): string {
  const own = saying(operation);
  const isAsked = inner?.state === 'blocked' && operation.state !== 'blocked';
  const said = inner !== undefined && (isAsked || own === '') ? [displayTitle(inner), saying(inner)].filter(isSaid).join(': ') : own;
  return [said, amount(operation)].filter(isSaid).join(' · ');
}

function saying({ state, message, blockedOn, waitingOn }: Operation): string {
  if (state === 'waiting') return message ?? waitingOn?.text ?? '';
  if (state !== 'blocked' && state !== 'paused') return message ?? '';
  const asked = state === 'blocked' ? (blockedOn?.prompt ?? message) : message;
  return [stateWord(state), asked].filter(isSaid).join(': ');
}

function isSaid(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
