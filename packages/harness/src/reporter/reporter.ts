import { isFinal } from '@sitrep/schema';
import { checkEvent } from '@sitrep/schema/check';
import type { OperationEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import { currentReporter } from '../context/current.ts';
import { tell } from '../diagnostic.ts';
import { handOver } from '../sink/hand-over.ts';
import { amountFault } from './amounts.ts';
import { blockedOnOf } from './blocked-on.ts';
import { completed } from './completed.ts';
import { abortReason, toFailure } from './failure.ts';
import { mintId } from './ids.ts';
import { shortenTexts } from './mend.ts';
import { onAbort } from './on-abort.ts';
import { asTold, idOf, pick, soundPart, strayKeys, strayText, withReason } from './patch.ts';
import type { Change } from './patch.ts';
import { track } from './track.ts';
import type { Answer, ChildOptions, LivePatch, NestedOptions, Patch, Reporter, ReporterOptions } from './types.ts';

export { currentReporter, withReporter } from '../context/current.ts';
export { track, trackStream } from './track.ts';
export type { Answer, ChildOptions, LivePatch, NestedOptions, Patch, Reporter, ReporterOptions } from './types.ts';

type State = NonNullable<OperationEvent['state']>;

/**
 * Binds a reporter to one invocation and sends its first event. Inside `track` (or `reporter.track`) the parent and
 * the run come from the enclosing reporter of the same session by themselves, and so do sink and session where they are
 * not given. Throws a TypeError where there is no sink or no session to be had.
 */
export function createReporter(given: NestedOptions): Reporter {
  const enclosing = currentReporter();
  const options = completed(given, enclosing === undefined ? undefined : InvocationReporter.optionsOf(enclosing), enclosing);
  const around = enclosing?.session === options.session ? enclosing : undefined;
  const parent = options.parent === undefined ? around?.id : options.parent === null ? undefined : idOf(options.parent);
  return new InvocationReporter({
    ...options,
    parent: parent ?? null,
    run: options.run ?? around?.run,
    signal: options.signal === undefined ? around?.signal : options.signal,
  });
}

const METHODS = [
  'update',
  'wait',
  'block',
  'resume',
  'complete',
  'fail',
  'cancel',
  'deny',
  'interrupt',
  'child',
  'retry',
  'track',
] as const;

/** What all attempts of one invocation share. */
interface Attempts {
  newest: number;
  /** Faults that every call would have again, and that are told once: the paths of bad names, stray keys. */
  readonly told: Set<string>;
}

/** What names the invocation: a fault in it is there in every event. */
const NAMES: ReadonlySet<string> = new Set(['/session', '/run', '/id', '/attempt', '/parent']);
/** So many stray keys are told. */
const MAX_TOLD = 20;

class InvocationReporter implements Reporter {
  readonly session: string;
  readonly run: string | undefined;
  readonly id: OperationEvent['id'];
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
  readonly counts: Record<Answer, number> = { sent: 0, held: 0, late: 0, invalid: 0 };
  state: State;
  ended = false;

  readonly #options: ReporterOptions;
  readonly #clock;
  readonly #throttleMs: number;
  /** Shared by all attempts of one invocation, so that no two of them get the same number. */
  readonly #attempts: Attempts;
  #seq = 0;
  #lastUpdate = Number.NEGATIVE_INFINITY;
  #held: Change | undefined;
  #cancelTimer: (() => void) | undefined;
  #unlisten: (() => void) | undefined;

  constructor(options: ReporterOptions, attempts: Attempts = { newest: options.attempt ?? 1, told: new Set() }) {
    // Tools take their reporter apart: `async (input, context, { update }) => …`.
    for (const name of METHODS) Reflect.set(this, name, (this[name] as (...args: never[]) => unknown).bind(this));
    this.#options = options;
    this.#attempts = attempts;
    this.#clock = options.clock ?? systemClock;
    this.#throttleMs = options.throttleMs ?? 100;
    this.session = options.session;
    // An empty text names nothing, and would keep the work from being seen at all.
    this.run = options.run === '' ? undefined : options.run;
    this.id = options.id === undefined || options.id === '' ? mintId() : options.id;
    this.attempt = options.attempt ?? 1;
    this.signal = options.signal ?? undefined;
    this.state = options.state ?? 'running';
    this.#tellStray(options, 'options');
    const start: Change = { ...this.#read(() => pick(options)), state: this.state };
    if (options.parent !== undefined && options.parent !== null) start.parent = idOf(options.parent);
    // One field that is refused must not keep the work from being seen, nor what names it.
    if (this.#now('start', start) === 'invalid') this.#now('start', this.#sound(start));
    const { signal } = this;
    if (signal !== undefined && !this.ended) this.#unlisten = onAbort(signal, () => void this.cancel(abortReason(signal.reason)));
  }

  /** What a reporter of this copy of the package was made with. */
  static optionsOf(reporter: Reporter): ReporterOptions | undefined {
    return #options in reporter ? (reporter as InvocationReporter).#options : undefined;
  }

  update(patch: LivePatch): Answer {
    const isStray = this.#tellStray(patch, 'patch');
    // An event that says nothing would look like a sign of life.
    if (
      isStray &&
      !this.ended &&
      this.#read(() => Object.keys({ ...pick(patch), ...(patch.state === undefined ? undefined : { state: patch.state }) }).length) === 0
    )
      return this.#count('invalid');
    return this.#live('update', () => ({
      ...pick(patch),
      state: patch?.state ?? (this.state === 'pending' ? 'running' : this.state),
    }));
  }

  wait(on?: Parameters<Reporter['wait']>[0], patch?: Patch): Answer {
    return this.#live(
      'wait',
      () => ({
        ...pick(patch),
        state: 'waiting',
        waitingOn: typeof on === 'string' ? { text: on } : asTold(on ?? {}),
      }),
      patch,
    );
  }

  block(on: Parameters<Reporter['block']>[0] = 'other', patch?: Patch): Answer {
    return this.#live('block', () => ({ ...pick(patch), state: 'blocked', blockedOn: blockedOnOf(on) }), patch);
  }

  resume(patch?: Patch): Answer {
    return this.#live('resume', () => ({ ...pick(patch), state: 'running' }), patch);
  }

  complete(patch?: Patch): Answer {
    return this.#end('complete', { state: 'completed' }, patch);
  }

  fail(error?: unknown, patch?: Patch): Answer {
    return this.#end('fail', { state: 'failed', ...(error === undefined ? undefined : { error: toFailure(error) }) }, patch);
  }

  cancel(reason?: string, patch?: Patch): Answer {
    return this.#end('cancel', withReason('cancelled', reason), patch);
  }

  deny(reason?: string, patch?: Patch): Answer {
    return this.#end('deny', withReason('denied', reason), patch);
  }

  interrupt(reason?: string, patch?: Patch): Answer {
    return this.#end('interrupt', withReason('interrupted', reason), patch);
  }

  [Symbol.dispose](): void {
    if (!this.ended) this.interrupt('disposed');
  }

  child(options: ChildOptions = {}): Reporter {
    const { sink, run, clock, signal, throttleMs, onDiagnostic } = this.#options;
    const inherited: ReporterOptions = { sink, run, clock, signal, throttleMs, onDiagnostic, session: this.session };
    const given = this.#read(() => Object.fromEntries(Object.entries(options ?? {}).filter(([, value]) => value !== undefined)));
    return new InvocationReporter({
      ...inherited,
      ...(given as Partial<ReporterOptions> | undefined),
      session: this.session,
      parent: this.id,
    });
  }

  retry(patch?: Patch): Reporter {
    this.#close();
    const attempt = (this.#attempts.newest += 1);
    const options = { ...this.#options, ...this.#read(() => pick(patch)), id: this.id, attempt, state: 'running' } as ReporterOptions;
    return new InvocationReporter(options, this.#attempts);
  }

  track<T>(fn: (reporter: Reporter) => T | PromiseLike<T>): Promise<T> {
    return track(this, fn);
  }

  /** A change of state goes at once; the same state again is an update like any other. */
  #live(call: string, make: () => Change & { readonly state: State }, patch?: Patch): Answer {
    this.#tellStray(patch, 'patch');
    if (this.ended) return this.#late(call);
    const change = this.#read(make);
    if (change === undefined) return this.#count('invalid');
    const { state, ...rest } = change;
    if (isFinal(state)) {
      return this.#refuse(
        '/state',
        `${call} cannot set the state "${state}"; end the work with complete, fail, cancel, deny or interrupt.`,
      );
    }
    return state === this.state ? this.#later(call, rest) : this.#now(call, change);
  }

  /** Final states: the first wins, and what is refused costs itself, not the end. */
  #end(call: string, end: Change & { readonly state: State }, patch: Patch | undefined): Answer {
    if (this.ended) return this.#late(call);
    this.#tellStray(patch, 'patch');
    const change = this.#read(() => ({ ...pick(patch), ...end }));
    const answer = change === undefined ? this.#count('invalid') : this.#now(call, change);
    if (answer !== 'invalid') return answer;
    const { state } = end;
    if (this.#now(call, this.#sound(change ?? end)) === 'invalid') {
      // Nothing of this invocation can be sent, not even its name.
      this.state = state;
      this.#close();
    }
    return 'invalid';
  }

  #sound(change: Change): Change {
    return soundPart(change, (part) => amountFault(part) === undefined && this.#read(() => checkEvent(this.#made(part)))?.ok === true);
  }

  /** What a call says. A value that throws when it is read (an accessor, a revoked proxy) must not reach the work. */
  #read<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch {
      tell(this.#options.onDiagnostic, { code: 'invalid', message: 'The report could not be read: give plain JSON values.', path: '' });
      return undefined;
    }
  }

  /** Sends a change of state together with what is held. */
  #now(call: string, change: Change): Answer {
    if (this.ended) return this.#late(call);
    const fault = amountFault(change);
    if (fault !== undefined) return this.#refuse(fault.path, fault.message);
    // What the state before waited on goes with that state.
    const { waitingOn: _, blockedOn: __, ...held } = this.#held ?? {};
    const event = this.#event({ ...held, ...change });
    if (event === undefined) return this.#count('invalid');
    const state = event.state ?? this.state;
    this.#drop();
    this.state = state;
    if (isFinal(state)) this.#close();
    this.#send(event);
    return this.#count('sent');
  }

  /** Sends a change that moves no state, or holds it until the throttle lets it go. */
  #later(call: string, change: Change): Answer {
    if (this.ended) return this.#late(call);
    const fault = amountFault(change);
    if (fault !== undefined) return this.#refuse(fault.path, fault.message);
    const event = this.#event({ ...this.#held, ...change });
    if (event === undefined) return this.#count('invalid');
    const rest = this.#lastUpdate + this.#throttleMs - event.at;
    // A clock that was set back must not hold an update for longer than one throttle.
    if (rest > 0 && rest <= this.#throttleMs && this.#isTimed(rest)) {
      this.#held = { ...this.#held, ...change };
      return this.#count('held');
    }
    this.#drop();
    this.#lastUpdate = event.at;
    this.#send(event);
    return this.#count('sent');
  }

  /** Sees to it that what is held will be sent; false where no timer can be had, so that nothing may be held. */
  #isTimed(ms: number): boolean {
    try {
      this.#cancelTimer ??= this.#clock.after(ms, () => this.#release());
      return true;
    } catch {
      return false;
    }
  }

  #release(): void {
    this.#cancelTimer = undefined;
    if (this.#held === undefined || this.ended) return;
    const event = this.#event(this.#held);
    this.#held = undefined;
    if (event === undefined) return;
    this.#lastUpdate = event.at;
    this.#send(event);
  }

  /** The checked event for a change with the next sequence number, which is used up only by `#send`. */
  #event(change: Change): OperationEvent | undefined {
    const checked = this.#read(() => checkEvent(this.#made(change)));
    if (checked === undefined) return undefined;
    if (checked.ok) return checked.value as OperationEvent;
    const { told } = this.#attempts;
    for (const { message, path } of checked.issues) {
      if (told.has(path)) continue;
      if (NAMES.has(path)) told.add(path);
      tell(this.#options.onDiagnostic, { code: 'invalid', message, path });
    }
    return undefined;
  }

  #made(change: Change): unknown {
    const head: Record<string, unknown> = { type: 'operation', session: this.session, id: this.id };
    if (this.run !== undefined) head['run'] = this.run;
    return shortenTexts({ ...head, attempt: this.attempt, seq: this.#seq + 1, at: this.#clock.now(), ...change });
  }

  #send(event: OperationEvent): void {
    this.#seq += 1;
    handOver(this.#options.sink, event, (error) => this.#sinkFailed(error));
  }

  #sinkFailed(error: unknown): void {
    const message = `The sink failed to take an event (${toFailure(error).message}); the work goes on without it.`;
    tell(this.#options.onDiagnostic, { code: 'sink_failed', message });
  }

  /** Tells of keys that mean nothing, each once; true when there are any. */
  #tellStray(given: object | null | undefined, from: 'patch' | 'options'): boolean {
    const keys = this.#read(() => strayKeys(given, from)) ?? [];
    const { told } = this.#attempts;
    for (const key of keys) {
      if (told.has(key) || told.size >= MAX_TOLD) continue;
      told.add(key);
      tell(this.#options.onDiagnostic, { code: 'invalid', message: strayText(key, from), path: `/${key.slice(0, 60)}` });
    }
    return keys.length > 0;
  }

  #late(call: string): Answer {
    const message = `${call} came after the invocation had ended as ${this.state}; it was ignored.`;
    tell(this.#options.onDiagnostic, { code: 'late', message });
    return this.#count('late');
  }

  #refuse(path: string, message: string): Answer {
    tell(this.#options.onDiagnostic, { code: 'invalid', message, path });
    return this.#count('invalid');
  }

  #count(answer: Answer): Answer {
    this.counts[answer] += 1;
    return answer;
  }

  #drop(): void {
    this.#held = undefined;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #close(): void {
    this.#drop();
    this.ended = true;
    this.#unlisten?.();
    this.#unlisten = undefined;
  }
}
