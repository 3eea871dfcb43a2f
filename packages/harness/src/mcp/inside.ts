import { isFinal } from '@sitrep/schema';
import type { Id, OperationEvent } from '@sitrep/schema/wire';
import type { Reporter } from '../reporter/types.ts';
import { applyEnd, applyLive } from './apply.ts';

/** How many operations inside one call are followed; ended ones are let go first. */
const MOST = 100;

/**
 * The operations a server reports inside one call, by the server's ids. Here each has an id of its own under the call, so
 * that two calls of one server, or a server that means ill, cannot reach what is not theirs.
 */
export class InsideCall {
  readonly #operations = new Map<Id, Inside>();
  readonly #call: Reporter;

  constructor(call: Reporter) {
    this.#call = call;
  }

  /** Takes one event; false when there are too many operations to follow another. */
  take(event: OperationEvent): boolean {
    const attempt = event.attempt ?? 1;
    const known = this.#operations.get(event.id);
    if (known !== undefined && attempt < known.attempt) return true;
    if (known === undefined && this.#operations.size >= MOST && !this.#forgetEnded()) return false;
    const reporter = known === undefined ? this.#begin(event) : attempt > known.attempt ? known.reporter.retry() : known.reporter;
    if (reporter !== known?.reporter) this.#operations.set(event.id, { reporter, attempt });
    if (event.state !== undefined && isFinal(event.state)) applyEnd(reporter, event);
    else applyLive(reporter, event);
    return true;
  }

  /** The call has ended, and with it what is still open inside. */
  end(): void {
    for (const { reporter } of this.#operations.values()) if (!reporter.ended) reporter.interrupt('parent_ended');
    this.#operations.clear();
  }

  #begin({ parent, title, kind, tool, ext, ambient, state }: OperationEvent): Reporter {
    const around = parent === undefined || parent === null ? undefined : this.#operations.get(parent)?.reporter;
    return (around ?? this.#call).child({ title, kind, tool, ext, ambient, state: state === 'pending' ? 'pending' : 'running' });
  }

  #forgetEnded(): boolean {
    for (const [id, { reporter }] of this.#operations) if (reporter.ended) return this.#operations.delete(id);
    return false;
  }
}

interface Inside {
  readonly reporter: Reporter;
  /** The server's count of its attempts; here each is the next. */
  readonly attempt: number;
}
