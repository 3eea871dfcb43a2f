import type { AddressInfo } from 'node:net';
import { StreamResponse, TaskState } from '@a2a-js/sdk';
import type { AgentCard } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import type { AgentExecutor, ExecutionEventBus } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { a2a } from '@sitrep/schema/dialect/a2a';
import { createEncoder } from '@sitrep/schema/translate';
import type { CardEvent, OperationEvent } from '@sitrep/schema/wire';

/** What the agent does with one message: it says our events, or something of the library's own. */
export interface Stage {
  readonly taskId: string;
  readonly contextId: string;
  /** An event of the task, or with an id of its own of something within it. */
  tell(event: Partial<OperationEvent>): void;
  card(event: Pick<CardEvent, 'revision' | 'card'>): void;
  /** A state as the library's own agents publish it, by its number. */
  say(state: number): void;
  /** Done when the test lets the agent go on. */
  readonly goes: Promise<void>;
}

/** A server of the library's own, and what holds back its agent. */
export interface Server {
  readonly url: string;
  /** Lets the agent go on where it waits. */
  go(): void;
  close(): Promise<void>;
}

type Script = (stage: Stage) => Promise<void> | void;

/** Serves scripts, each by the text of the message that asks for it. */
export async function serve(scripts: Readonly<Record<string, Script>>): Promise<Server> {
  const app = express();
  const listening = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
  let go = (): void => {};
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage }, bus) {
      const [part] = userMessage.parts;
      const script = part?.content?.$case === 'text' ? scripts[part.content.value] : undefined;
      bus.publish(AgentEvent.task(submitted(taskId, contextId)));
      await script?.(stageFor(bus, taskId, contextId, new Promise((resolve) => (go = resolve))));
      bus.finished();
    },
    // It had just finished when it was asked to stop.
    async cancelTask() {
      go();
    },
  };
  const handler = new DefaultRequestHandler(cardOf(url), new InMemoryTaskStore(), executor);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: handler }));
  app.use(jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  return {
    url,
    go: () => go(),
    async close() {
      listening.closeAllConnections();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}

function submitted(taskId: string, contextId: string) {
  return {
    id: taskId,
    contextId,
    status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}

function stageFor(bus: ExecutionEventBus, taskId: string, contextId: string, goes: Promise<void>): Stage {
  const encoder = createEncoder(a2a, contextId);
  let at = 1_000_000;
  const publish = (frames: readonly object[]): void => {
    for (const frame of frames) {
      const { payload } = StreamResponse.fromJSON(frame);
      if (payload?.$case === 'statusUpdate') bus.publish(AgentEvent.statusUpdate(payload.value));
      if (payload?.$case === 'artifactUpdate') bus.publish(AgentEvent.artifactUpdate(payload.value));
    }
  };
  return {
    taskId,
    contextId,
    goes,
    tell: (event) => publish(encoder.encode({ type: 'operation', session: contextId, id: taskId, at: at++, ...event })),
    card: (event) => publish(encoder.encode({ type: 'card', session: contextId, at: at++, ...event })),
    say: (state) =>
      bus.publish(
        AgentEvent.statusUpdate({ taskId, contextId, status: { state, message: undefined, timestamp: undefined }, metadata: undefined }),
      ),
  };
}

function cardOf(url: string): AgentCard {
  return {
    name: 'scripts',
    description: 'Plays scripts.',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    provider: undefined,
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
    signatures: [],
  };
}
