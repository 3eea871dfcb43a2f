/** An agent of the first version on its standard streams: the library's own, saying our events and some of its own. */
import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk';
import type { AgentContext, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { acp } from '@sitrep/schema/dialect/acp';
import { createEncoder } from '@sitrep/schema/translate';
import { AGENT_SESSION, SCRIPTS } from './scripts.ts';
import type { Stage } from './scripts.ts';

const encoder = createEncoder(acp, AGENT_SESSION);
const told: Record<string, unknown>[] = [];
let stop = (): void => {};

function stageFor(client: AgentContext, sessionId: string): Stage {
  const say = (update: Record<string, unknown>): void => {
    told.push(update);
    void client.notify<unknown>('session/update', { sessionId, update });
  };
  return {
    say,
    tell: (event) => encoder.encode(event).forEach((frame) => say(frame.params.update as unknown as Record<string, unknown>)),
    async ask(toolCallId, title) {
      const options = [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' as const },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' as const },
      ];
      const { outcome } = await client.request<RequestPermissionResponse>(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId, title },
        options,
      });
      return outcome.outcome === 'selected' ? outcome.optionId : undefined;
    },
    cancelled: new Promise((resolve) => (stop = resolve)),
    announce: 'tool_call',
    newer: 'cancelled',
    dialect: 'acp',
    plan: (entries) => ({ sessionUpdate: 'plan', entries }),
  };
}

agent({ name: 'scripts' })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: { loadSession: true } }))
  .onRequest(methods.agent.session.new, () => ({ sessionId: 'acp-1' }))
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    for (const update of told) await client.notify<unknown>('session/update', { sessionId: params.sessionId, update });
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const [block] = params.prompt;
    const script = block?.type === 'text' ? SCRIPTS[block.text] : undefined;
    if (script === undefined) return { stopReason: 'refusal' };
    return { stopReason: await script(stageFor(client, params.sessionId)) };
  })
  .onNotification(methods.agent.session.cancel, () => stop())
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout) as WritableStream<Uint8Array>, Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  );
