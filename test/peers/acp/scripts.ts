import { readdirSync, readFileSync } from 'node:fs';
import type { OperationEvent, ProgressEvent } from '@sitrep/schema/wire';

/** Every update in the fixtures of what is written for a peer of this version, but for those that end a turn. */
export function writtenUpdates(dialect: 'acp' | 'acp-v2'): Record<string, unknown>[] {
  const folder = new URL(`../../../packages/schema/fixtures/${dialect}/`, import.meta.url);
  const files = readdirSync(folder).filter((file) => file.startsWith('out-'));
  return files
    .flatMap((file) => (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { encoded: Written[] }).encoded)
    .map(({ params }) => params.update)
    .filter((update) => update['sessionUpdate'] !== 'state_update');
}

interface Written {
  readonly params: { readonly update: Record<string, unknown> };
}

/** What an agent of either version can do on its side of the connection. */
export interface Stage {
  /** Says one of our events in the words of the connection, as soon as it can. */
  tell(event: ProgressEvent): void;
  /** Sends an update as the peer's own agents would write it. */
  say(update: Record<string, unknown>): void;
  /** Asks whether the call may run; the option that was chosen, or undefined. */
  ask(toolCallId: string, title: string): Promise<string | undefined>;
  /** Done when the client asked to stop. */
  readonly cancelled: Promise<void>;
  /** What a call of the peer's own begins with in this version. */
  readonly announce: 'tool_call' | 'tool_call_update';
  /** A word of a newer peer for the state of a call and of a step. */
  readonly newer: string;
  /** The dialect of this version. */
  readonly dialect: 'acp' | 'acp-v2';
  /** A plan of the peer's own as this version writes it. */
  plan(entries: readonly object[]): Record<string, unknown>;
}

/** The session as the agent calls it on its own side. */
export const AGENT_SESSION = 'agent-chat';

let at = 1;

/** An event of the operation, later than all before. */
export function operation(id: string, more: Partial<OperationEvent>): OperationEvent {
  return { type: 'operation', session: AGENT_SESSION, id, at: at++, ...more };
}

function entry(content: string, status: string): object {
  return { content, priority: 'high', status };
}

/** What the agent does in each turn, by the text of the prompt. Answers why it stopped. */
export const SCRIPTS: Readonly<Record<string, (stage: Stage) => Promise<'end_turn' | 'cancelled'>>> = {
  async burst({ tell }) {
    tell(operation('burst', { state: 'running', title: 'Compile', tool: { name: 'make', origin: 'native' } }));
    for (let current = 1; current <= 3; current += 1) tell(operation('burst', { current, total: 4, unit: 'files' }));
    tell(operation('burst', { state: 'completed', current: 4 }));
    return 'end_turn';
  },
  async late({ tell, say }) {
    tell(operation('late', { state: 'running', title: 'Test' }));
    tell(operation('late', { state: 'completed' }));
    say({ sessionUpdate: 'tool_call_update', toolCallId: 'late', status: 'in_progress', title: 'Test again' });
    return 'end_turn';
  },
  async amounts({ tell }) {
    tell(operation('amounts', { state: 'running', title: 'Copy', total: 100, current: 20 }));
    for (const current of [20, 80, 40]) tell(operation('amounts', { current }));
    return 'end_turn';
  },
  async concurrent({ tell }) {
    for (const id of ['same-a', 'same-b'])
      tell(operation(id, { state: 'running', title: 'bash', tool: { name: 'bash', origin: 'native' } }));
    tell(operation('same-b', { state: 'completed' }));
    tell(operation('same-a', { state: 'failed', error: { message: 'exit 2' } }));
    return 'end_turn';
  },
  async nested({ tell }) {
    tell(operation('outer', { state: 'running', title: 'Review', kind: 'subagent' }));
    tell(operation('middle', { state: 'running', title: 'Search', parent: 'outer' }));
    tell(operation('inner', { state: 'running', title: 'grep', parent: 'middle' }));
    tell(operation('inner', { state: 'completed' }));
    return 'end_turn';
  },
  async 'cancel-completed'({ tell, cancelled }) {
    tell(operation('stopped', { state: 'running', title: 'Deploy' }));
    await cancelled;
    tell(operation('stopped', { state: 'completed' }));
    return 'cancelled';
  },
  async denied({ say, ask, announce }) {
    say({ sessionUpdate: announce, toolCallId: 'delete', title: 'Delete the folder', kind: 'delete', status: 'pending' });
    const option = await ask('delete', 'Delete the folder');
    say({ sessionUpdate: 'tool_call_update', toolCallId: 'delete', status: option === 'no' ? 'failed' : 'completed' });
    return 'end_turn';
  },
  async 'denied-by-us'({ tell }) {
    tell(operation('ours', { state: 'running', title: 'Delete' }));
    tell(operation('ours', { state: 'denied', error: { message: 'not in this folder' } }));
    tell(operation('given-up', { state: 'cancelled', title: 'Search' }));
    return 'end_turn';
  },
  async 'unknown-state'({ say, announce, newer, plan }) {
    say({ sessionUpdate: announce, toolCallId: 'newer', title: 'Wait', status: 'in_progress' });
    say({ sessionUpdate: 'tool_call_update', toolCallId: 'newer', status: newer });
    say(plan([entry('Read', 'completed'), entry('Skip', newer), entry('Write', 'in_progress')]));
    return 'end_turn';
  },
  async silence({ tell }) {
    tell(operation('silent', { state: 'running', title: 'Think' }));
    tell(operation('silent', { state: 'completed' }));
    return 'end_turn';
  },
  async card({ tell }) {
    const plan = [
      { step: 'Read', status: 'completed' as const },
      { step: 'Ask', status: 'cancelled' as const },
      { step: 'Write', status: 'in_progress' as const },
    ];
    tell({ type: 'card', session: AGENT_SESSION, revision: 5, at: at++, card: { plan, markdown: 'Half **way**.' } });
    tell({ type: 'session', session: AGENT_SESSION, at: at++, title: 'Fix the build', usage: { tokens: 1200 } });
    return 'end_turn';
  },
  async written({ say, dialect }) {
    for (const update of writtenUpdates(dialect)) say(update);
    return 'end_turn';
  },
};
