/// <reference lib="esnext.disposable" preserve="true" />
import { isFinal } from '@sitrep/schema';
import type { OperationEvent, ProgressEvent, RunEvent } from '@sitrep/schema/wire';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import { toFailure } from '../reporter/failure.ts';
import { handOver } from '../sink/hand-over.ts';
import type { Sink } from '../sink/sink.ts';
import { INTERNAL } from './api.ts';
import type { OtelApi, SpanLike, TracerLike } from './api.ts';
import { nameOf, operationAttributes, present, runAttributes, setEnding } from './attributes.ts';

/** Options of a span sink. */
export interface SpanSinkOptions {
  /** `import * as api from '@opentelemetry/api'`. */
  readonly api: OtelApi;
  /** Default: that of `api.trace` named `@sitrep/harness`. */
  readonly tracer?: TracerLike | undefined;
  /** Where the events go on to. Default: nowhere. */
  readonly next?: Sink | undefined;
  /** `gen_ai.agent.name` of runs. Default: none. */
  readonly agent?: string | undefined;
  /** Progress events on one span at most; changes of state are always noted. Default: 100. */
  readonly maxEvents?: number | undefined;
  /** Told when the tracer failed. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** Spans that are open at a time, and ended ones that children may still name as their parent. */
const MAX_SPANS = 10_000;

interface Entry {
  readonly span: SpanLike;
  /** The context in which its children begin. */
  readonly context: unknown;
  /** What is known of it: the latest value of each field. */
  known: OperationEvent | RunEvent;
  events: number;
  ended: boolean;
}

/**
 * A sink that makes a span of each attempt of an operation and of each run, by the names of OpenTelemetry's conventions for
 * generative AI, and hands every event on to `next`. What is inside an operation or a run is inside its span; the rest is
 * inside the span that is active. An operation that is closed with it ends as `interrupted`.
 */
export function createSpanSink(options: SpanSinkOptions): Sink & AsyncDisposable {
  const { api, next } = options;
  if (typeof api?.trace?.setSpan !== 'function' || typeof api.context?.active !== 'function') {
    throw new TypeError("createSpanSink needs { api }: import * as api from '@opentelemetry/api'.");
  }
  const tracer = options.tracer ?? (api.trace.getTracer('@sitrep/harness') as TracerLike);
  const spans = new Spans(api, tracer, options);
  const failed = (error: unknown): void => {
    tell(options.onDiagnostic, { code: 'sink_failed', message: `A span could not be written (${toFailure(error).message}).` });
  };
  const behind = (error: unknown): void => {
    tell(options.onDiagnostic, { code: 'sink_failed', message: `The sink that events go on to failed (${toFailure(error).message}).` });
  };
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    spans.endAll(failed);
    // What goes on is not ours: it must neither be kept from its end nor reject ours.
    await Promise.resolve(next)
      .then((sink) => sink?.close())
      .catch(behind);
  };
  return {
    send(event) {
      if (closed) return;
      // Whoever watches must not keep the event from where it is going.
      try {
        spans.take(event);
      } catch (error) {
        failed(error);
      }
      if (next) handOver(next, event, failed);
    },
    flush: async () => {
      await Promise.resolve(next)
        .then((sink) => sink?.flush())
        .catch(behind);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

class Spans {
  readonly #api: OtelApi;
  readonly #tracer: TracerLike;
  readonly #agent: string | undefined;
  readonly #maxEvents: number;
  /** The newest attempt of each operation, and each run. The one heard of last at the end. */
  readonly #entries = new Map<string, Entry>();

  constructor(api: OtelApi, tracer: TracerLike, { agent, maxEvents = 100 }: SpanSinkOptions) {
    this.#api = api;
    this.#tracer = tracer;
    this.#agent = agent;
    this.#maxEvents = maxEvents;
  }

  take(event: ProgressEvent): void {
    if (event.type === 'run') this.#takeRun(event);
    else if (event.type === 'operation') this.#takeOperation(event);
  }

  /** Ends each, though others of them fail. */
  endAll(failed: (error: unknown) => void): void {
    for (const entry of this.#entries.values()) {
      if (entry.ended) continue;
      try {
        this.#end(entry, 'interrupted', 'closed', undefined);
      } catch (error) {
        failed(error);
      }
    }
    this.#entries.clear();
  }

  #takeRun(event: RunEvent): void {
    const key = keyOf(event.session, event.run);
    const name = this.#agent === undefined ? 'invoke_agent' : `invoke_agent ${this.#agent}`;
    const outer = event.parent ? this.#entries.get(keyOf(event.session, event.parent)) : undefined;
    const entry = this.#entries.get(key) ?? this.#start(key, name, event, outer, undefined, runAttributes(event, this.#agent));
    if (entry.ended || !isFinal(event.state)) return;
    // What the run leaves open ends with it.
    for (const inner of this.#entries.values()) {
      const { known } = inner;
      if (known.type === 'operation' && known.session === event.session && known.run === event.run && !inner.ended) {
        this.#end(inner, 'interrupted', 'run_ended', event.endedAt ?? event.at);
      }
    }
    entry.known = event;
    this.#end(entry, event.state, event.reason, event.endedAt ?? event.at);
  }

  #takeOperation(event: OperationEvent): void {
    const key = keyOf(event.session, event.run ?? null, event.id);
    let entry = this.#entries.get(key);
    const attempt = event.attempt ?? 1;
    const held = entry?.known.type === 'operation' ? (entry.known.attempt ?? 1) : 0;
    if (entry && attempt < held) return;
    if (!entry || attempt > held) {
      if (entry && !entry.ended) this.#end(entry, 'interrupted', 'superseded', event.at);
      // Only what names the invocation outlives an attempt.
      const former = entry?.known.type === 'operation' ? naming(entry.known) : {};
      const begun = { ...former, ...defined(event) } as OperationEvent;
      entry = this.#start(key, nameOf(begun), begun, this.#outer(begun), entry, operationAttributes(begun));
    } else {
      if (entry.ended) return;
      this.#change(entry, event);
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (event.state !== undefined && isFinal(event.state)) {
      this.#end(entry, event.state, event.reason, event.endedAt ?? event.at);
    }
  }

  #outer({ session, run, parent }: OperationEvent): Entry | undefined {
    const inside = parent === undefined || parent === null ? undefined : this.#entries.get(keyOf(session, run ?? null, parent));
    return inside ?? (run === undefined ? undefined : this.#entries.get(keyOf(session, run)));
  }

  #start(
    key: string,
    name: string,
    event: OperationEvent | RunEvent,
    outer: Entry | undefined,
    former: Entry | undefined,
    attributes: ReturnType<typeof operationAttributes>,
  ): Entry {
    const parent = outer?.context ?? this.#api.context.active();
    const startTime = event.startedAt ?? event.at;
    const links = former ? [{ context: former.span.spanContext() }] : [];
    const span = this.#tracer.startSpan(name, { kind: INTERNAL, startTime, links, attributes: present(attributes) }, parent);
    const context = this.#api.trace.setSpan(parent as never, span as never);
    const entry: Entry = { span, context, known: event, events: 0, ended: false };
    this.#entries.set(key, entry);
    if (event.type === 'operation') this.#note(entry, event);
    if (this.#entries.size > MAX_SPANS) this.#letGo();
    return entry;
  }

  #change(entry: Entry, event: OperationEvent): void {
    const before = entry.known as OperationEvent;
    const known = { ...before, ...defined(event) } as OperationEvent;
    entry.known = known;
    // What it is called may be said after it began.
    if (nameOf(known) !== nameOf(before)) entry.span.updateName(nameOf(known));
    const [old, now] = [present(operationAttributes(before)), present(operationAttributes(known))];
    for (const [name, value] of Object.entries(now)) if (old[name] !== value) entry.span.setAttribute(name, value);
    this.#note(entry, event, before.state);
  }

  /** Notes a change of state, and how far it is, as events of the span. */
  #note(entry: Entry, event: OperationEvent, before?: OperationEvent['state']): void {
    const { state, at, blockedOn, waitingOn } = event;
    if (state !== undefined && isFinal(state)) return;
    if (state !== undefined && state !== before && (before !== undefined || state === 'blocked' || state === 'waiting')) {
      const about = {
        'sitrep.blocked_on.kind': blockedOn?.kind,
        'sitrep.waiting_on.text': waitingOn?.text,
        'sitrep.operation.reason': event.reason ?? undefined,
      };
      entry.span.addEvent(state, present(about), at);
    }
    const { current, total, fraction, message } = event;
    if ([current, total, fraction, message].every((value) => value === undefined || value === null)) return;
    entry.events += 1;
    if (entry.events > this.#maxEvents) return;
    const progress = {
      'sitrep.progress.current': current ?? undefined,
      'sitrep.progress.total': total ?? undefined,
      'sitrep.progress.fraction': fraction ?? undefined,
      'sitrep.progress.unit': event.unit ?? undefined,
      'sitrep.progress.message': message ?? undefined,
    };
    entry.span.addEvent('progress', present(progress), at);
  }

  #end(entry: Entry, state: string, reason: string | null | undefined, at: number | undefined): void {
    const { known, span } = entry;
    entry.ended = true;
    const error = known.type === 'operation' ? known.error : undefined;
    setEnding(span, { state, reason, error, mcp: known.type === 'operation' && known.tool?.origin === 'mcp' });
    if (entry.events > this.#maxEvents) span.setAttribute('sitrep.progress.dropped', entry.events - this.#maxEvents);
    span.end(at);
  }

  /** Those that have ended go first, the one heard of longest ago before others. */
  #letGo(): void {
    let oldest: string | undefined;
    for (const [key, { ended }] of this.#entries) {
      oldest ??= key;
      if (!ended) continue;
      this.#entries.delete(key);
      return;
    }
    const entry = oldest === undefined ? undefined : this.#entries.get(oldest);
    if (entry) this.#end(entry, 'interrupted', 'too_many', undefined);
    this.#entries.delete(oldest ?? '');
  }
}

/** `run` alone for a run; an id keeps its JSON type. */
function keyOf(...parts: readonly (string | number | null)[]): string {
  return JSON.stringify(parts);
}

function naming({ title, activeTitle, kind, tool, parent }: OperationEvent): Partial<OperationEvent> {
  return defined({ title, activeTitle, kind, tool, parent });
}

function defined<T extends object>(event: T): Partial<T> {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as Partial<T>;
}
