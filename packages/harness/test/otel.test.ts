import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { createMemorySink, createReporter, withReporter } from '@sitrep/harness';
import { createSpanSink } from '@sitrep/harness/otel';
import type { SpanSinkOptions } from '@sitrep/harness/otel';
import type { ProgressEvent } from '@sitrep/schema/wire';

api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

function setup(options: Partial<SpanSinkOptions> = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer('test');
  const next = createMemorySink();
  const diagnostics: string[] = [];
  const sink = createSpanSink({ api, tracer, next, onDiagnostic: ({ message }) => void diagnostics.push(message), ...options });
  const send = (event: Partial<ProgressEvent> & { type: ProgressEvent['type'] }): void =>
    sink.send({ session: 's', at: 1_700_000_000_000, ...event } as ProgressEvent);
  const spans = (): Record<string, ReadableSpan> => Object.fromEntries(exporter.getFinishedSpans().map((span) => [span.name, span]));
  return { sink, send, spans, all: () => exporter.getFinishedSpans(), next, tracer, diagnostics };
}

const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;
const ms = ([seconds, nanos]: readonly [number, number]) => seconds * 1_000 + nanos / 1e6;

describe('a span sink', () => {
  it('names a tool call, its run and what they are part of as the conventions for generative AI do', async () => {
    const { sink, send, spans, next } = setup({ agent: 'coder' });
    const at = 1_700_000_000_000;
    send({ type: 'run', run: 'turn-1', state: 'running', at });
    const tool = { name: 'grep', origin: 'native' };
    const call = createReporter({ sink, session: 's', run: 'turn-1', id: 'call-7', title: 'Search', kind: 'tool', tool });
    const remote = { name: 'query', origin: 'mcp', server: 'db' };
    const inner = call.child({ id: 8, kind: 'tool', tool: remote });
    inner.update({ current: 3, total: 9, unit: 'rows', message: 'Reading' });
    inner.complete();
    call.complete();
    send({ type: 'run', run: 'turn-1', state: 'completed', at: at + 2_000 });
    const { 'execute_tool grep': grep, 'execute_tool query': query, 'invoke_agent coder': run } = spans();
    assert.equal(parentOf(query), idOf(grep));
    assert.equal(parentOf(grep), idOf(run));
    assert.equal(parentOf(run), undefined);
    assert.equal(new Set([run, grep, query].map((span) => span?.spanContext().traceId)).size, 1);
    assert.deepEqual(run?.attributes, {
      'gen_ai.conversation.id': 's',
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'coder',
      'sitrep.run.id': 'turn-1',
      'sitrep.operation.state': 'completed',
    });
    assert.deepEqual([ms(run.startTime), ms(run.endTime)], [at, at + 2_000]);
    assert.deepEqual(grep?.attributes, {
      'gen_ai.conversation.id': 's',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'grep',
      'gen_ai.tool.call.id': 'call-7',
      'gen_ai.tool.type': 'function',
      'sitrep.operation.id': 'call-7',
      'sitrep.operation.attempt': 1,
      'sitrep.operation.kind': 'tool',
      'sitrep.operation.title': 'Search',
      'sitrep.run.id': 'turn-1',
      'sitrep.operation.state': 'completed',
    });
    assert.equal(query?.attributes['mcp.method.name'], 'tools/call');
    assert.equal(query?.attributes['sitrep.tool.server'], 'db');
    assert.equal(query?.attributes['gen_ai.tool.call.id'], '8');
    assert.deepEqual(
      query?.events.map(({ name, attributes }) => [name, attributes]),
      [
        [
          'progress',
          {
            'sitrep.progress.current': 3,
            'sitrep.progress.total': 9,
            'sitrep.progress.unit': 'rows',
            'sitrep.progress.message': 'Reading',
          },
        ],
      ],
    );
    assert.equal(next.events.length, 7, 'every event went on');
  });

  it('tells ends apart: what was stopped is no fault, what did not do its work is', () => {
    const { send, all } = setup();
    const ends: readonly (readonly [Partial<ProgressEvent>, number, string | undefined, string | undefined])[] = [
      [{ state: 'completed' } as Partial<ProgressEvent>, 0, undefined, undefined],
      [{ state: 'cancelled', reason: 'user' } as Partial<ProgressEvent>, 0, undefined, undefined],
      [{ state: 'failed', error: { message: 'no such file', code: 'ENOENT' } } as Partial<ProgressEvent>, 2, 'ENOENT', 'no such file'],
      [{ state: 'failed', reason: 'timeout', error: { message: 'too long' } } as Partial<ProgressEvent>, 2, 'timeout', 'too long'],
      [{ state: 'failed' } as Partial<ProgressEvent>, 2, '_OTHER', undefined],
      [{ state: 'failed', tool: { name: 'q', origin: 'mcp' } } as Partial<ProgressEvent>, 2, 'tool_error', undefined],
      [{ state: 'denied' } as Partial<ProgressEvent>, 2, 'denied', undefined],
      [{ state: 'interrupted', reason: 'producer_lost' } as Partial<ProgressEvent>, 2, 'producer_lost', undefined],
    ];
    for (const [n, [end]] of ends.entries()) send({ type: 'operation', id: n, ...end } as never);
    assert.deepEqual(
      all().map(({ status, attributes }) => [status.code, attributes['error.type'], status.message]),
      ends.map(([, code, type, message]) => [code, type, message]),
    );
  });

  it('makes a span of each attempt, linked to the one before, and takes nothing of one that is over', () => {
    const { send, all } = setup();
    const operation = { type: 'operation', id: 'a' } as const;
    send({ ...operation, title: 'Fetch', kind: 'download', state: 'running' });
    send({ ...operation, state: 'failed', error: { message: 'reset' } });
    send({ ...operation, state: 'completed' });
    send({ ...operation, attempt: 2, state: 'running' });
    send({ ...operation, current: 5 });
    send({ ...operation, attempt: 3, state: 'running' });
    send({ ...operation, attempt: 3, state: 'completed' });
    const [first, second, third] = all();
    assert.deepEqual(
      all().map(({ name, attributes }) => [name, attributes['sitrep.operation.attempt'], attributes['sitrep.operation.state']]),
      [
        ['download', 1, 'failed'],
        ['download', 2, 'interrupted'],
        ['download', 3, 'completed'],
      ],
    );
    assert.equal(third?.attributes['sitrep.operation.title'], 'Fetch', 'what names it outlives an attempt');
    assert.deepEqual(second?.events, []);
    assert.equal(second?.links[0]?.context.spanId, idOf(first));
    assert.equal(third?.links[0]?.context.spanId, idOf(second));
  });

  it('notes what it waits for and on whom, and no more of its progress than it was told to', () => {
    const { send, all } = setup({ maxEvents: 2 });
    const operation = { type: 'operation', id: 'a' } as const;
    send({ ...operation, state: 'running' });
    send({ ...operation, state: 'blocked', blockedOn: { kind: 'permission', prompt: 'May I?' } });
    send({ ...operation, state: 'running' });
    send({ ...operation, state: 'waiting', waitingOn: { text: 'a slot' } });
    for (let n = 0; n < 50; n += 1) send({ ...operation, current: n });
    send({ ...operation, state: 'completed' });
    const [span] = all();
    assert.deepEqual(
      span?.events.map(({ name, attributes }) => [name, Object.values(attributes ?? {})]),
      [
        ['blocked', ['permission']],
        ['running', []],
        ['waiting', ['a slot']],
        ['progress', [0]],
        ['progress', [1]],
      ],
    );
    assert.equal(span?.attributes['sitrep.progress.dropped'], 48);
  });

  it('puts what nothing encloses into the span that is active, and what a run left open to an end with it', async () => {
    const { sink, send, spans, tracer } = setup();
    const outer = tracer.startSpan('request');
    api.context.with(api.trace.setSpan(api.context.active(), outer), () => {
      withReporter(undefined, () => createReporter({ sink, session: 's', id: 'a', kind: 'command' }).complete());
    });
    outer.end();
    assert.equal(parentOf(spans()['command']), idOf(outer as unknown as ReadableSpan));
    send({ type: 'run', run: 'r', state: 'running' });
    send({ type: 'operation', id: 'b', run: 'r', kind: 'subagent', state: 'running' });
    send({ type: 'run', run: 'r', state: 'failed', reason: 'crash' });
    const subagent = spans()['invoke_agent'];
    assert.ok(subagent);
    send({ type: 'operation', id: 'c', kind: 'left', state: 'running' });
    await sink.close();
    assert.equal(spans()['left']?.attributes['sitrep.operation.state'], 'interrupted');
    send({ type: 'operation', id: 'd', kind: 'after', state: 'completed' });
    assert.equal(spans()['after'], undefined);
  });

  it('lets every event go on though the tracer fails, and says what is missing', () => {
    const tracer = {
      startSpan() {
        throw new Error('no spans today');
      },
    };
    const { send, next, diagnostics } = setup({ tracer });
    send({ type: 'operation', id: 'a', state: 'running' });
    assert.equal(next.events.length, 1);
    assert.deepEqual(diagnostics, ['A span could not be written (no spans today).']);
    assert.throws(() => createSpanSink({} as SpanSinkOptions), TypeError);
  });

  it('ends every span and closes what is behind it though one of them fails', async () => {
    const ended: number[] = [];
    let begun = 0;
    const tracer = {
      startSpan() {
        const n = (begun += 1);
        const end = () => {
          if (n === 1) throw new Error('lost its exporter');
          ended.push(n);
        };
        return {
          ...api.trace.wrapSpanContext(api.INVALID_SPAN_CONTEXT),
          setAttribute: () => undefined,
          setStatus: () => undefined,
          addEvent: () => undefined,
          end,
        };
      },
    } as unknown as NonNullable<SpanSinkOptions['tracer']>;
    const calls: string[] = [];
    const next = {
      send: () => undefined,
      flush: () => Promise.reject(new Error('not today')),
      close() {
        calls.push('close');
        throw new Error('gone');
      },
    };
    const { sink, send, diagnostics } = setup({ tracer, next });
    for (const id of ['a', 'b', 'c']) send({ type: 'operation', id, state: 'running' });
    await sink.flush();
    await sink.close();
    assert.deepEqual([ended, calls], [[2, 3], ['close']]);
    assert.deepEqual(diagnostics, [
      'The sink that events go on to failed (not today).',
      'A span could not be written (lost its exporter).',
      'The sink that events go on to failed (gone).',
    ]);
  });

  it('holds no more than it can', () => {
    const { send, all } = setup();
    for (let id = 0; id < 10_050; id += 1) send({ type: 'operation', id, state: 'running' });
    assert.equal(all().length, 50);
    assert.equal(all()[0]?.attributes['error.type'], 'too_many');
    for (const id of ['__proto__', 'constructor', '7']) send({ type: 'operation', id, state: 'completed' });
    send({ type: 'operation', id: 10_049, state: 'completed' });
    assert.equal(all().at(-1)?.attributes['sitrep.operation.id'], '10049');
  });
});
