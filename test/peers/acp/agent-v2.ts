/** An agent of the second version's draft on its standard streams: the library's own, saying our events and some of its own. */
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk/experimental/v2';
import type { AgentContext } from '@agentclientprotocol/sdk/experimental/v2';
import { acpV2 } from '@sitrep/schema/dialect/acp-v2';
import { createEncoder } from '@sitrep/schema/translate';
import { AGENT_SESSION, SCRIPTS } from './scripts.ts';
import type { Stage } from './scripts.ts';

const encoder = createEncoder(acpV2, AGENT_SESSION);
const told: Record<string, unknown>[] = [];
let stop = (): void => {};
let turns = 0;

function notify(client: AgentContext, sessionId: string, update: Record<string, unknown>): void {
  void client.notify(methods.client.session.update, { sessionId, update } as never);
}

function stageFor(client: AgentContext, sessionId: string): Stage {
  const say = (update: Record<string, unknown>): void => {
    told.push(update);
    notify(client, sessionId, update);
  };
  return {
    say,
    tell: (event) => encoder.encode(event).forEach((frame) => say(frame.params.update as unknown as Record<string, unknown>)),
    async ask(toolCallId, title) {
      const options = [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
      ];
      const subject = { type: 'tool_call' as const, toolCall: { toolCallId } };
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        title: `${title}?`,
        subject,
        options,
      });
      return outcome.outcome === 'selected' ? (outcome as { optionId: string }).optionId : undefined;
    },
    cancelled: new Promise((resolve) => (stop = resolve)),
    announce: 'tool_call_update',
    newer: '_dreaming',
    dialect: 'acp-v2',
    plan: (entries) => ({ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'own', entries } }),
  };
}

/** A turn of the second version: the prompt is answered at once, and the state says when work begins and ends. */
async function play(client: AgentContext, sessionId: string, name: string): Promise<void> {
  const stage = stageFor(client, sessionId);
  notify(client, sessionId, { sessionUpdate: 'state_update', state: 'running' });
  const stopReason = await SCRIPTS[name]?.(stage);
  notify(client, sessionId, { sessionUpdate: 'state_update', state: 'idle', stopReason: stopReason ?? 'refusal' });
}

agent({ name: 'scripts' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, info: { name: 'scripts', version: '1' } }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 'acp-2' }))
  .onRequest(methods.agent.session.resume, ({ params, client }) => {
    if (params.replayFrom) for (const update of told) notify(client, params.sessionId, update);
    notify(client, params.sessionId, { sessionUpdate: 'state_update', state: 'idle' });
    return {};
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const [block] = params.prompt;
    turns += 1;
    void play(client, params.sessionId, block?.type === 'text' ? String(block.text) : '');
    return { messageId: `m${turns}` };
  })
  .onNotification(methods.agent.session.cancel, () => stop())
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  );
