/// <reference lib="esnext.disposable" preserve="true" />
import { isFinal } from '@sitrep/schema';
import { slack } from '@sitrep/schema/dialect/slack';
import { SessionIndex } from '@sitrep/schema/reduce';
import type { CardEvent, ProgressEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { Sink } from '../sink/sink.ts';
import type { SlackClient, SlackPlace } from './api.ts';
import { SlackMessages } from './messages.ts';
import { SlackStream } from './stream.ts';
import { checkOptions } from '../setup.ts';

/** Options of a sink that streams a session's runs into Slack. Times in milliseconds. */
export interface SlackSinkOptions extends SlackPlace {
  /** A `WebClient`, or anything of its shape. Limits (429 with Retry-After) are for it to wait for, as `WebClient` does by itself. */
  readonly client: SlackClient;
  /** The session to stream; events of others are dropped. */
  readonly session: string;
  /** How tasks are shown: all together, or among the text. Default: `plan`. */
  readonly mode?: 'plan' | 'timeline' | undefined;
  /** Least time between two requests of one stream. Slack allows a little more than 100 in a minute. Default: 1,000. */
  readonly intervalMs?: number | undefined;
  /** How long `flush` and `close` wait for Slack before they give up waiting. Default: 10,000. */
  readonly flushMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Told of requests that failed. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/**
 * Streams each run of a session as one message, and one more for every 50 tasks: its operations and the steps of the plan.
 * A stream begins with the first thing there is to show and stops when its run has ended; work of no run has a stream of its
 * own, which stops when nothing of it goes on any more. Requests that fail are told and tried again with what has come
 * since, three times; nothing is ever thrown.
 */
export function createSlackSink(options: SlackSinkOptions): Sink & AsyncDisposable {
  checkOptions('createSlackSink', options, { client: 'object', session: 'string', channel: 'string', thread_ts: 'string' });
  const { client, session, clock = systemClock } = options;
  const index = new SessionIndex(session);
  /** Open messages by run, the newest last; undefined is the work of no run. */
  const streams = new Map<string | undefined, SlackMessages>();
  const stopping = new Set<Promise<void>>();
  let closed = false;

  function onFailure(request: string, givenUp: boolean): void {
    const next = givenUp ? 'the stream is given up' : 'it is tried again';
    tell(options.onDiagnostic, { code: 'sink_failed', message: `Slack refused ${request} or could not be reached; ${next}.` });
  }

  function streamOf(run: string | undefined): SlackMessages {
    const open = streams.get(run);
    if (open !== undefined) return open;
    const messages = new SlackMessages(begin);
    streams.set(run, messages);
    for (const chunk of planAt(run)) messages.push(chunk);
    return messages;
  }

  function begin(): SlackStream {
    const { channel, thread_ts, recipient_team_id, recipient_user_id } = options;
    const place: SlackPlace = {
      channel,
      thread_ts,
      ...(recipient_team_id === undefined ? undefined : { recipient_team_id }),
      ...(recipient_user_id === undefined ? undefined : { recipient_user_id }),
    };
    const intervalMs = Math.max(0, options.intervalMs ?? 1000);
    const stream = new SlackStream({ client, place, mode: options.mode ?? 'plan', intervalMs, clock, onFailure });
    if (isTitled()) stream.push({ type: 'plan_update', title: index.title ?? '' });
    return stream;
  }

  /** The plan as it stands, for a stream that begins after it was written; the plan of another run is over. */
  function planAt(run: string | undefined): ReturnType<typeof slack.encode> {
    const { card, revision, updatedAt, run: writtenIn } = index.card;
    if (card === null || writtenIn !== run) return [];
    const event: CardEvent = { type: 'card', session, revision, at: updatedAt ?? 0, card };
    return slack.encode(event).filter((chunk) => chunk.type === 'task_update' || !isTitled());
  }

  function isTitled(): boolean {
    return index.title !== undefined && index.title !== '';
  }

  function stop(run: string | undefined): void {
    const stream = streams.get(run);
    if (stream === undefined) return;
    streams.delete(run);
    const stopped = stream.stop().finally(() => stopping.delete(stopped));
    stopping.add(stopped);
  }

  /** The stream an event belongs to: its run's. A title goes to the newest, as does a card of no run; neither opens one. */
  function targetOf(event: ProgressEvent): SlackMessages | undefined {
    if (event.type === 'operation') return streamOf(event.run);
    if (event.type === 'run' || event.type === 'operation.clear') return streams.get(event.run);
    if (event.type === 'card' && event.run !== undefined) return streamOf(event.run);
    return [...streams.values()].at(-1);
  }

  function send(event: ProgressEvent): void {
    if (closed || event.session !== session) return;
    // Another run's plan stands in another message: all of the new one is to be said.
    const isOtherPlan = event.type === 'card' && event.run !== index.card.run;
    const chunks = slack.encode(event, isOtherPlan ? undefined : index);
    const isLate = event.type === 'operation' && event.run !== undefined && isOver(event.run);
    if (index.apply(event).outcome !== 'applied') return;
    const target = isLate || chunks.length === 0 ? undefined : targetOf(event);
    for (const chunk of chunks) if (chunk.type === 'task_update' || event.type === 'session' || !isTitled()) target?.push(chunk);
    if (event.type === 'run' && isOver(event.run)) stop(event.run);
    else if ((event.type === 'operation' || event.type === 'operation.clear') && event.run === undefined && isQuiet()) stop(undefined);
  }

  function isOver(run: string): boolean {
    const record = index.runs.get(run);
    return record !== undefined && isFinal(record.state);
  }

  /** Nothing that belongs to no run goes on. */
  function isQuiet(): boolean {
    for (const operation of index.operations.values()) if (operation.run === undefined && !isFinal(operation.state)) return false;
    return true;
  }

  /** Waits for requests, but not for ever: the client may be waiting for a limit of its own. */
  async function waitFor(requests: readonly Promise<void>[]): Promise<void> {
    let cancel: (() => void) | undefined;
    const timeIsUp = new Promise<void>((resolve) => {
      cancel = clock.after(Math.max(0, options.flushMs ?? 10_000), resolve, true);
    });
    const isDone = await Promise.race([Promise.all(requests).then(() => true), timeIsUp.then(() => false)]);
    cancel?.();
    if (isDone) return;
    tell(options.onDiagnostic, { code: 'flush_timeout', message: 'Slack did not take everything in time; it is not waited for any more.' });
  }

  function flush(): Promise<void> {
    return waitFor([...Array.from(streams.values(), (stream) => stream.flush()), ...stopping]);
  }

  function close(): Promise<void> {
    closed = true;
    for (const run of streams.keys()) stop(run);
    return waitFor([...stopping]);
  }

  return {
    send(event) {
      try {
        send(event);
      } catch {
        tell(options.onDiagnostic, { code: 'sink_failed', message: 'An event could not be written for Slack and was left out.' });
      }
    },
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
}
