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
  readonly #reporters = new Map<Id, Reporter>();
  readonly #call: Reporter;

  constructor(call: Reporter) {
    this.#call = call;
  }

  /** Takes one event; false when there are too many operations to follow another. */
  take(event: OperationEvent): boolean {
    const reporter = this.#reporterFor(event);
    if (reporter === undefined) return false;
    if (event.state !== undefined && isFinal(event.state)) applyEnd(reporter, event);
    else applyLive(reporter, event);
    return true;
  }

  /** The call has ended, and with it what is still open inside. */
  end(): void {
    for (const reporter of this.#reporters.values()) if (!reporter.ended) reporter.interrupt('parent_ended');
    this.#reporters.clear();
  }

  #reporterFor(event: OperationEvent): Reporter | undefined {
    const known = this.#reporters.get(event.id);
    if (known !== undefined && (event.attempt ?? 1) <= known.attempt) return known;
    if (known !== undefined) return this.#keep(event.id, known.retry());
    if (this.#reporters.size >= MOST && !this.#forgetEnded()) return undefined;
    const parent = event.parent === undefined || event.parent === null ? undefined : this.#reporters.get(event.parent);
    const { title, kind, tool, ext, ambient, state } = event;
    const child = (parent ?? this.#call).child({
      title,
      kind,
      tool,
      ext,
      ambient,
      attempt: event.attempt,
      state: state === 'pending' ? 'pending' : 'running',
    });
    return this.#keep(event.id, child);
  }

  #keep(id: Id, reporter: Reporter): Reporter {
    this.#reporters.set(id, reporter);
    return reporter;
  }

  #forgetEnded(): boolean {
    for (const [id, reporter] of this.#reporters) if (reporter.ended) return this.#reporters.delete(id);
    return false;
  }
}
