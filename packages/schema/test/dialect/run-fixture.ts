import { isDeepStrictEqual } from 'node:util';
import { cardDetails, cardReceipt, dialects, normalizeOpenClawCard } from '@sitrep/schema/dialect';
import type { DecodeContext, Dialect } from '@sitrep/schema/dialect';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';
import * as select from '@sitrep/schema/select';
import type { View } from '@sitrep/schema/select';
import type { CardRecord, Operation, ProgressEvent, Run } from '@sitrep/schema';

/** One recorded case: what comes in, and all that must come out of it. Members that are absent expect nothing. */
export interface Fixture {
  readonly name: string;
  /** Which rule this is the oracle of. */
  readonly rule?: string;
  readonly context?: Partial<DecodeContext> & { readonly sessionKey?: string; readonly revision?: number };
  /** `out` when the input is our events and only what the dialect writes is of interest. */
  readonly direction?: 'out';
  /** Frames, events, or (select) one object with a record and what is known around it. */
  readonly input: readonly unknown[];
  readonly events?: readonly unknown[];
  /** Refused frames: the first issue of each. */
  readonly issues?: readonly Place[];
  readonly mended?: readonly Place[];
  readonly hints?: readonly unknown[];
  readonly outcomes?: readonly string[];
  /** Members of the snapshot after all events. */
  readonly snapshot?: Readonly<Record<string, unknown>>;
  /** What the dialect writes for the events. */
  readonly encoded?: readonly unknown[];
  /** True when what the dialect writes for the events is the input again. */
  readonly returned?: true;
  /** What the profile makes of each input. */
  readonly normal?: readonly unknown[];
  /** What is answered to each write, the first one at the revision of the context. */
  readonly receipts?: readonly unknown[];
  /** Derived values by the name of their selector, one object for each input. */
  readonly derived?: readonly Readonly<Record<string, unknown>>[];
}

interface Place {
  readonly path: string;
  readonly code: string;
}

export type Result = Omit<Fixture, 'name' | 'rule' | 'context' | 'direction' | 'input'>;

const CONTEXT: DecodeContext = { session: 'chat-1', at: 1000 };

/** Runs a case of one folder and answers everything that came out, in the form of the expectation. */
export function runFixture(folder: string, fixture: Fixture): Result {
  const input = fixture.input.map(expand);
  if (folder === 'select')
    return { derived: input.map((each, index) => derive(each as Known, Object.keys(fixture.derived?.[index] ?? {}))) };
  if (folder === 'reduce') return applied(input as ProgressEvent[], fixture);
  if (fixture.normal !== undefined) return { normal: input.map(normal) };
  if (fixture.receipts !== undefined)
    return { receipts: input.map((each, index) => receipt(each, (fixture.context?.revision ?? 1) + index)) };
  const dialect = dialects[folder as keyof typeof dialects] as Dialect<unknown>;
  if (fixture.direction === 'out') return { encoded: written(dialect, input as ProgressEvent[]) };
  return decodedBy(dialect, input, fixture);
}

/** A long text is written short: `{"$repeat": "a", "times": 8193}`. */
export function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  if (typeof members['$repeat'] === 'string') return members['$repeat'].repeat(Number(members['times'])) + String(members['then'] ?? '');
  return Object.fromEntries(Object.entries(members).map(([key, member]) => [key, expand(member)]));
}

function normal(value: unknown): unknown {
  const result = normalizeOpenClawCard(value);
  return result.ok ? result.value : { issue: places(result.issues)[0] };
}

function receipt(value: unknown, revision: number): unknown {
  const result = normalizeOpenClawCard(value);
  const details = cardDetails(revision, result.ok ? result.value : null);
  return { receipt: cardReceipt(details), details };
}

function places(issues: readonly Place[]): Place[] {
  return issues.map(({ path, code }) => ({ path, code }));
}

function decodedBy(dialect: Dialect<unknown>, frames: readonly unknown[], fixture: Fixture): Result {
  const context = { ...CONTEXT, ...fixture.context };
  const decoder = createDecoder(dialect, context);
  const decoded = frames.map((frame) => decoder.decode(frame, context.at));
  const read = decoded.filter((each) => each.ok);
  const events = read.flatMap((each) => each.events);
  const encoded = written(dialect, events);
  return {
    ...applied(events, fixture),
    events: plain(events) as unknown[],
    issues: decoded.flatMap((each) => (each.ok ? [] : places(each.issues).slice(0, 1))),
    mended: read.flatMap((each) => places(each.mended ?? [])),
    hints: read.flatMap((each) => (each.hint === undefined ? [] : [each.hint])),
    encoded,
    ...(fixture.returned === true && isDeepStrictEqual(encoded, plain(frames)) ? { returned: true } : undefined),
  };
}

function written(dialect: Dialect<unknown>, events: readonly ProgressEvent[]): unknown[] {
  // Not by an encoder, which would keep back what the ordering rules drop: here each event is written.
  const before = new SessionIndex(CONTEXT.session);
  const frames = events.flatMap((event) => {
    const own = dialect.encode(event, before);
    before.apply(event);
    return own;
  });
  return plain(frames) as unknown[];
}

function applied(events: readonly ProgressEvent[], { snapshot = {} }: Fixture): Result {
  const index = new SessionIndex('chat-1');
  const outcomes = events.map((event) => index.apply(event).outcome);
  const whole = plain(index.snapshot(0, 'epoch', events.length)) as Record<string, unknown>;
  return { outcomes, snapshot: Object.fromEntries(Object.keys(snapshot).map((key) => [key, whole[key] ?? null])) };
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

interface Known {
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly runs: readonly Run[];
  readonly card: CardRecord;
  readonly view: View;
  readonly locale?: string;
  /** For notices: what happened in a session, from its beginning. */
  readonly happened: readonly ProgressEvent[];
}

/** Selectors by name, each with what it needs of the known. */
const SELECTORS: Readonly<Record<string, (known: Known) => unknown>> = {
  fraction: ({ operation }) => select.fraction(operation),
  percent: ({ operation }) => select.percent(operation),
  amount: ({ operation, locale }) => select.amount(operation, locale),
  stateWord: ({ operation }) => select.stateWord(operation.state),
  displayTitle: ({ operation }) => select.displayTitle(operation),
  summary: ({ operation, locale }) => select.summary(operation, locale),
  activity: ({ operation }) => select.activity(operation),
  rollUp: ({ operations }) => select.rollUp(operations),
  sessionActivity: ({ operations, runs }) => select.sessionActivity(operations, runs),
  liveness: ({ operation, view }) => select.liveness(operation, view),
  elapsed: ({ operation, view }) => select.elapsed(operation, view.now),
  cardLiveness: ({ card, view }) => select.cardLiveness(card, view),
  cardText: ({ card }) => select.cardText(card.card),
  planCounts: ({ card }) => select.planCounts(card.card?.plan),
  currentStep: ({ card }) => select.currentStep(card.card?.plan),
  currentStepIndex: ({ card }) => select.currentStepIndex(card.card?.plan),
  notices: ({ happened, locale }) => told(happened, locale).notices,
  progressNotice: ({ happened, locale }) => select.progressNotice(told(happened).index, locale),
  stepDisplays: ({ card, view }) => card.card?.plan?.map((step) => select.stepDisplay(step, card, view)),
};

function derive(known: Known, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, SELECTORS[name]?.(known) ?? null]));
}

/** What each event of a session is worth telling, and the session afterwards. */
function told(
  events: readonly ProgressEvent[],
  locale?: string,
): { notices: readonly (readonly select.NoticeStep[])[]; index: SessionIndex } {
  const index = new SessionIndex(CONTEXT.session);
  const notices = events.map((event) => {
    if (event.type === 'run') {
      const before = index.runs.get(event.run);
      index.apply(event);
      return select.sessionNotices({ run: index.runs.get(event.run)!, before }, index, locale);
    }
    if (event.type !== 'operation' && event.type !== 'operation.clear') return index.apply(event) && [];
    const before = index.find(event.id, event.run);
    index.apply(event);
    const operation = index.find(event.id, event.run);
    const change = operation ? { operation, before } : before && { cleared: before };
    return change && operation !== before ? select.sessionNotices(change, index, locale) : [];
  });
  return { notices, index };
}
