import { Changes } from '../src/wire/changes.ts';
import { Card, CardEvent, CardRecord, Step } from '../src/wire/card.ts';
import { End, Heartbeat, Resync } from '../src/wire/control.ts';
import { OperationClearEvent } from '../src/wire/operation-clear.ts';
import { Operation, OperationEvent } from '../src/wire/operation.ts';
import { BlockedOn, Ext, Failure, Native, Tool, Usage, WaitingOn } from '../src/wire/parts.ts';
import { Run, RunEvent } from '../src/wire/run.ts';
import { SessionEvent } from '../src/wire/session.ts';
import { Snapshot } from '../src/wire/snapshot.ts';
import { OPERATION_TEXTS } from '../src/check/operation-text.ts';
import { CardPut, ProgressCardInput, ProgressInput, ReportProgressInput } from '../src/wire/tool-inputs.ts';

/** One schema of the wire: where it stands, and what is made of it. */
export interface Entry {
  /** The exported const in `src/wire/<file>.ts`; the validator is `is<name>`. */
  readonly name: string;
  readonly file: string;
  readonly schema: object;
  /** Name of the emitted `json/<json>.json`; parts of other schemas have none. */
  readonly json?: string;
  /** Optional fields that most values carry, the most frequent first: asked for right after the required ones. */
  readonly usual?: readonly string[];
  /** Fields with text to be cleaned, or with parts that hold such: the predicate notes on the way whether any needs it. */
  readonly texts?: readonly string[];
}

/** What an update of a running operation holds. */
const UPDATE = ['seq', 'state', 'message', 'current', 'total', 'title'];

/** Every schema a validator is made of, what is referred to before what refers to it. */
export const ENTRIES: readonly Entry[] = [
  { name: 'Tool', file: 'parts', schema: Tool, texts: ['name', 'origin', 'server'] },
  { name: 'Failure', file: 'parts', schema: Failure, texts: ['message', 'code'] },
  { name: 'BlockedOn', file: 'parts', schema: BlockedOn, texts: ['prompt'] },
  { name: 'WaitingOn', file: 'parts', schema: WaitingOn, texts: ['text'] },
  { name: 'Usage', file: 'parts', schema: Usage, texts: ['label'] },
  { name: 'Native', file: 'parts', schema: Native, texts: ['ids'] },
  { name: 'Ext', file: 'parts', schema: Ext },
  { name: 'OperationEvent', file: 'operation', schema: OperationEvent, json: 'operation', usual: UPDATE, texts: OPERATION_TEXTS },
  { name: 'Operation', file: 'operation', schema: Operation, json: 'operation-record', usual: UPDATE },
  { name: 'OperationClearEvent', file: 'operation-clear', schema: OperationClearEvent, json: 'operation-clear' },
  { name: 'Step', file: 'card', schema: Step },
  { name: 'Card', file: 'card', schema: Card },
  { name: 'CardEvent', file: 'card', schema: CardEvent, json: 'card' },
  { name: 'CardRecord', file: 'card', schema: CardRecord, json: 'card-record' },
  { name: 'RunEvent', file: 'run', schema: RunEvent, json: 'run' },
  { name: 'Run', file: 'run', schema: Run, json: 'run-record' },
  { name: 'SessionEvent', file: 'session', schema: SessionEvent, json: 'session' },
  { name: 'Snapshot', file: 'snapshot', schema: Snapshot, json: 'snapshot' },
  { name: 'Changes', file: 'changes', schema: Changes, json: 'changes' },
  { name: 'Heartbeat', file: 'control', schema: Heartbeat, json: 'heartbeat' },
  { name: 'Resync', file: 'control', schema: Resync, json: 'resync' },
  { name: 'End', file: 'control', schema: End, json: 'end' },
  { name: 'ReportProgressInput', file: 'tool-inputs', schema: ReportProgressInput, json: 'report-progress-input' },
  { name: 'ProgressInput', file: 'tool-inputs', schema: ProgressInput, json: 'progress-input' },
  { name: 'ProgressCardInput', file: 'tool-inputs', schema: ProgressCardInput, json: 'progress-card-input' },
  { name: 'CardPut', file: 'tool-inputs', schema: CardPut, json: 'card-put' },
];

/** The two unions of the wire, by the `json` names of their members. */
export const UNIONS = [
  {
    json: 'event',
    title: 'event',
    description: 'What a producer may send and a log may keep.',
    of: ['operation', 'operation-clear', 'card', 'run', 'session'],
  },
  {
    json: 'stream-event',
    title: 'stream event',
    description: 'Everything that can arrive on a stream.',
    of: ['operation', 'operation-clear', 'card', 'run', 'session', 'snapshot', 'changes', 'heartbeat', 'resync', 'end'],
  },
] as const;

/** The inputs offered to a model, as constants of `@sitrep/schema/tool-schemas`. */
export const TOOLS = [
  { constant: 'REPORT_PROGRESS_SCHEMA', name: 'ReportProgressInput', tool: 'report_progress' },
  { constant: 'PROGRESS_SCHEMA', name: 'ProgressInput', tool: 'progress' },
  { constant: 'PROGRESS_CARD_SCHEMA', name: 'ProgressCardInput', tool: 'progress_card' },
] as const;
