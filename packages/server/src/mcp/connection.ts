import { createHttpCardWriter, createMemorySink } from '@sitrep/harness';
import type { CardWriter, HttpCardWriterOptions } from '@sitrep/harness';
import { createReportSeries, progressTools } from '@sitrep/harness/tools';
import type { ToolAnswer, ToolName } from '@sitrep/harness/tools';
import { isFinal } from '@sitrep/schema';
import type { Id, ProgressEvent } from '@sitrep/schema/wire';
import { createDelivery } from './delivery.ts';
import type { Delivered } from './delivery.ts';

/** Operations of one connection that are remembered as open. */
const MAX_OPEN = 1_000;
/** Milliseconds `progress_card` waits for the gateway. */
const CARD_MS = 2_000;
/** Milliseconds the end of a connection waits for the gateway to take what was left open. */
const CLOSE_MS = 1_500;

/** Headers, or what makes them anew for each request. */
export type HeaderSource = NonNullable<HttpCardWriterOptions['headers']>;

/** What a connection writes and where. */
export interface ConnectionOptions {
  /** Address of the gateway. */
  readonly url: string;
  /** Headers for it: a token. */
  readonly headers?: HeaderSource | undefined;
  /** The session everything of this connection belongs to. */
  readonly session: string;
  /** Title to give the session with the first write; none for a session somebody else has named. */
  readonly title?: string | undefined;
  /** Told, once each, of what goes wrong with the gateway. */
  readonly warn: (message: string) => void;
}

/** One client of the MCP server. */
export interface Connection {
  readonly session: string;
  /** Calls a tool. Never rejects; the answer says what really became of the report. */
  call(name: ToolName, input: unknown): Promise<ToolAnswer>;
  /** Ends the connection: what it left open is interrupted, as nobody can report on it any more. */
  close(): Promise<void>;
}

/** Opens a connection. Nothing is sent before the first call. */
export function openConnection({ url, headers, session, title, warn }: ConnectionOptions): Connection {
  const delivery = createDelivery(url, headers, warn);
  const writer = createHttpCardWriter({ url, headers, timeoutMs: CARD_MS });
  // In a session of its own nobody else writes; in a given one somebody may have, and their card is not to vanish unseen.
  const cards = title === undefined ? inTurn(careful(writer)) : inTurn(writer);
  // Successive reports without an id are one operation until one of them ends it.
  const series = createReportSeries();
  const open = new Map<Id, ProgressEvent>();
  let titled = title === undefined;

  const head = (): ProgressEvent[] => {
    if (titled) return [];
    titled = true;
    return [{ type: 'session', session, at: Date.now(), title: title as string }];
  };
  const remember = (event: ProgressEvent): void => {
    if (event.type !== 'operation') return;
    open.delete(event.id);
    if (event.state !== undefined && isFinal(event.state)) return;
    open.set(event.id, event);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value as Id);
  };

  return {
    session,
    async call(name, input) {
      const sink = createMemorySink();
      const answer = await progressTools[name].handle(input, { session, sink, cards, series, timeoutMs: CARD_MS + 500 });
      if (answer.isError) return answer;
      if (name === 'progress_card') {
        if (!titled) void delivery.send(head());
        return answer;
      }
      const events = sink.events;
      const delivered = await delivery.send([...head(), ...events]);
      if (delivered.outcome === 'stored' || delivered.outcome === 'kept') for (const event of events) remember(event);
      if (delivered.outcome === 'late') for (const event of events) if (event.type === 'operation') open.delete(event.id);
      // The next report must not go to an operation that somebody has ended.
      if (delivered.outcome === 'late' && name === 'report_progress') series.reported(true);
      return judged(name, answer, delivered);
    },
    async close() {
      const at = Date.now();
      const left = [...open.keys()].map((id): ProgressEvent => ({
        type: 'operation',
        session,
        id,
        at,
        state: 'interrupted',
        reason: 'disconnected',
      }));
      open.clear();
      if (left.length > 0) await delivery.send(left);
      await delivery.close(CLOSE_MS);
    },
  };
}

/** One write after the other, in the order of the calls. One whose caller has given up before its turn is not written. */
function inTurn(writer: CardWriter): CardWriter {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    put(session, body, options) {
      const mine = turn.then(() =>
        options?.signal?.aborted
          ? ({ ok: false, code: 'unavailable', message: 'Earlier cards took too long; this one was not written.' } as const)
          : writer.put(session, body, options),
      );
      turn = mine;
      return mine;
    },
  };
}

/**
 * Writes only over the card it knows: when somebody else wrote since, the first try is a conflict, which tells the model,
 * and the second replaces.
 */
function careful(writer: CardWriter): CardWriter {
  let known: number | undefined;
  return {
    async put(session, body, options) {
      const result = await writer.put(session, known === undefined ? body : { ...body, expectedRevision: known }, options);
      if (result.ok || result.code === 'conflict') known = result.revision;
      // Whether an unconfirmed write went through is not known, and neither is the revision.
      else if (result.code === 'unavailable') known = undefined;
      return result;
    },
  };
}

/** The answer, made true: a report that is not stored must not read as if it were. */
function judged(name: ToolName, answer: ToolAnswer, delivered: Delivered): ToolAnswer {
  switch (delivered.outcome) {
    case 'stored':
      return answer;
    case 'kept':
      return {
        ...answer,
        text: `${answer.text}; not confirmed: the gateway does not answer. The report is kept and sent once it does. Go on with the work.`,
      };
    case 'late': {
      const again = name === 'progress' ? 'Use another id for new work.' : 'The next call begins a new operation.';
      return failed('conflict', `${name}: this operation has ended already; nothing was changed. ${again}`);
    }
    case 'refused':
      return failed('unavailable', `${name}: the report was refused and is lost. ${delivered.message} Go on with the work.`);
  }
}

function failed(code: 'conflict' | 'unavailable', text: string): ToolAnswer {
  return { text, structured: { error: { code } }, isError: true };
}
