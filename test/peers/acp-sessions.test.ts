import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { agent, client, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { AgentContext, ClientConnection, RequestPermissionResponse, StopReason } from '@agentclientprotocol/sdk';
import { acp } from '@sitrep/schema/dialect/acp';
import { SessionIndex } from '@sitrep/schema/reduce';
import { createDecoder } from '@sitrep/schema/translate';
import { tap } from './acp/wire.ts';
import type { Line } from './acp/wire.ts';

/** What an agent does in a turn: it may say updates and ask, and answers why it stopped. */
interface Acting {
  readonly say: (update: Record<string, unknown>) => Promise<void>;
  readonly ask: (toolCallId: string) => Promise<RequestPermissionResponse>;
  readonly cancelled: Promise<void>;
}
type Script = (acting: Acting) => Promise<StopReason>;

/** The library's agent and client with two sessions on one connection, and what is heard of each. */
function connected(scripts: Readonly<Record<string, Script>>, permission: (title: unknown) => RequestPermissionResponse) {
  const heard = ['one', 'two'].map((sessionId) => {
    const index = new SessionIndex(sessionId);
    return { sessionId, index, decoder: createDecoder(acp, { session: sessionId, sessionId, run: `turn-${sessionId}` }) };
  });
  const lines: Line[] = [];
  let at = 1_000_000;
  const hear = (line: Line): void => {
    lines.push(line);
    at += 1;
    for (const { decoder, index } of heard) {
      const decoded = decoder.decode(line, at);
      assert.ok(decoded.ok, JSON.stringify(line));
      for (const event of decoded.events) index.apply(event);
    }
  };
  const [up, down] = [tap(hear), tap(hear)];
  const stops = new Map<string, () => void>();
  const actingFor = (context: AgentContext, sessionId: string, takenBack: AbortSignal): Acting => ({
    say: (update) => context.notify<unknown>('session/update', { sessionId, update }),
    ask: (toolCallId) =>
      context.request<RequestPermissionResponse>(methods.client.session.requestPermission, {
        sessionId,
        toolCall: { toolCallId, title: `May ${sessionId}?` },
        options: [
          { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
          { optionId: 'no', name: 'Reject', kind: 'reject_once' },
        ],
      }),
    cancelled: new Promise((resolve) => {
      stops.set(sessionId, resolve);
      takenBack.addEventListener('abort', () => resolve());
    }),
  });
  let made = 0;
  agent({ name: 'scripts' })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: { loadSession: true } }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: ['one', 'two'][made++] as string }))
    .onRequest(methods.agent.session.load, async ({ params, client: context, signal }) => {
      await scripts['load']?.(actingFor(context, params.sessionId, signal));
      return {};
    })
    .onRequest(methods.agent.session.prompt, async ({ params, client: context, signal }) => {
      const [block] = params.prompt;
      const script = block?.type === 'text' ? scripts[block.text] : undefined;
      return { stopReason: script === undefined ? 'refusal' : await script(actingFor(context, params.sessionId, signal)) };
    })
    .onNotification(methods.agent.session.cancel, ({ params }) => stops.get(params.sessionId)?.())
    .connect(ndJsonStream(down.writable, up.readable));
  const connection = client({ name: 'editor' })
    .onNotification(methods.client.session.update, () => {})
    .onRequest(methods.client.session.requestPermission, ({ params }) => permission(params.toolCall.title))
    .connect(ndJsonStream(up.writable, down.readable));
  const state = (session: number): unknown => {
    const { operations, runs } = (heard[session] as (typeof heard)[0]).index;
    return {
      calls: [...operations.values()].map(({ id, state: each, cancelRequested }) => [
        id,
        each,
        ...(cancelRequested === true ? ['asked'] : []),
      ]),
      turns: [...runs.values()].map(({ state: each }) => each),
    };
  };
  return { connection, state, lines };
}

const call = (status: string) => ({ sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'Run the tests', status });
const patch = (status: string) => ({ sessionUpdate: 'tool_call_update', toolCallId: 'call-1', status });
const idsOf = (lines: readonly Line[], method: string): unknown[] => lines.filter((line) => line['method'] === method).map(({ id }) => id);

describe('two sessions of ACP over one connection of its library', () => {
  let open: ClientConnection[] = [];
  const wake: (() => void)[] = [];

  async function started(scripts: Readonly<Record<string, Script>>, permission: (title: unknown) => RequestPermissionResponse = () => YES) {
    const wired = connected(scripts, permission);
    open.push(wired.connection);
    await wired.connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    for (const _ of ['one', 'two']) await wired.connection.agent.request(methods.agent.session.new, { cwd: '/', mcpServers: [] });
    const prompt = (sessionId: string, text: string): Promise<unknown> =>
      wired.connection.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
    return { ...wired, prompt };
  }
  const YES: RequestPermissionResponse = { outcome: { outcome: 'selected', optionId: 'yes' } };

  before(() => {
    open = [];
  });
  after(() => {
    for (const connection of open) connection.close();
  });

  it('are told apart, though their calls have one name and the turn of one ends first', async () => {
    const { prompt, state } = await started({
      short: async ({ say }) => {
        await say(call('in_progress'));
        await say(patch('failed'));
        return 'end_turn';
      },
      long: async ({ say }) => {
        await say(call('in_progress'));
        await new Promise<void>((resolve) => wake.push(resolve));
        await say(patch('completed'));
        return 'end_turn';
      },
    });
    const long = prompt('one', 'long');
    await prompt('two', 'short');
    assert.deepEqual(state(0), { calls: [['call-1', 'running']], turns: ['running'] });
    assert.deepEqual(state(1), { calls: [['call-1', 'failed']], turns: ['completed'] });
    wake.forEach((each) => each());
    await long;
    assert.deepEqual(state(0), { calls: [['call-1', 'completed']], turns: ['completed'] });
  });

  it('are asked about apart, and a client that breaks over a question ends no turn', async () => {
    const asking: Script = async ({ say, ask }) => {
      await say(call('pending'));
      // As many as it takes for the number of a question to be that of the prompt.
      for (let time = 0; time < 6; time += 1) await ask('call-1').catch(() => {});
      await say(patch('completed'));
      return 'end_turn';
    };
    const { prompt, state, lines } = await started({ asking }, (title) => {
      if (title === 'May one?') throw new Error('no window to ask in');
      return YES;
    });
    await Promise.all([prompt('one', 'asking'), prompt('two', 'asking')]);
    const [asked, prompted] = [idsOf(lines, 'session/request_permission'), idsOf(lines, 'session/prompt')];
    assert.ok(prompted.every((id) => asked.includes(id)));
    for (const session of [0, 1]) assert.deepEqual(state(session), { calls: [['call-1', 'completed']], turns: ['completed'] });
  });

  it('are cancelled apart, also while one of them is asked', async () => {
    const { prompt, state, connection } = await started(
      {
        asking: async ({ say, ask, cancelled }) => {
          await say(call('pending'));
          await ask('call-1');
          await cancelled;
          return 'cancelled';
        },
        long: async ({ say, cancelled }) => {
          await say(call('in_progress'));
          await cancelled;
          return 'cancelled';
        },
      },
      () => {
        void connection.agent.notify(methods.agent.session.cancel, { sessionId: 'one' });
        return { outcome: { outcome: 'cancelled' } };
      },
    );
    const two = prompt('two', 'long');
    await prompt('one', 'asking');
    assert.deepEqual(state(1), { calls: [['call-1', 'running']], turns: ['running'] });
    assert.deepEqual((state(0) as { turns: unknown }).turns, ['cancelled']);
    assert.deepEqual((state(0) as { calls: unknown[][] }).calls[0]?.slice(0, 2), ['call-1', 'cancelled']);
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: 'two' });
    await two;
    assert.deepEqual(state(1), { calls: [['call-1', 'cancelled', 'asked']], turns: ['cancelled'] });
  });

  it('are cancelled apart by taking back the request of one prompt', async () => {
    const begun: (() => void)[] = [];
    const both = Promise.all([0, 1].map(() => new Promise<void>((resolve) => begun.push(resolve))));
    const { prompt, state, connection } = await started({
      long: async ({ say, cancelled }) => {
        await say(call('in_progress'));
        begun.pop()?.();
        await cancelled;
        throw RequestError.requestCancelled();
      },
    });
    const two = prompt('two', 'long').catch(() => {});
    const stop = new AbortController();
    const one = connection.agent.request(
      methods.agent.session.prompt,
      { sessionId: 'one', prompt: [{ type: 'text', text: 'long' }] },
      { cancellationSignal: stop.signal },
    );
    await both;
    stop.abort();
    await assert.rejects(one);
    assert.deepEqual(state(0), { calls: [['call-1', 'cancelled', 'asked']], turns: ['cancelled'] });
    assert.deepEqual(state(1), { calls: [['call-1', 'running']], turns: ['running'] });
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: 'two' });
    await two;
  });

  it('that is told once more leaves nothing at work, and the other is not touched', async () => {
    const { prompt, state, connection } = await started({
      load: async ({ say }) => {
        await say(call('in_progress'));
        return 'end_turn';
      },
      long: async ({ say, cancelled }) => {
        await say(call('in_progress'));
        await cancelled;
        return 'cancelled';
      },
    });
    const two = prompt('two', 'long');
    await connection.agent.request(methods.agent.session.load, { sessionId: 'one', cwd: '/', mcpServers: [] });
    assert.deepEqual(state(0), { calls: [['call-1', 'interrupted']], turns: [] });
    assert.deepEqual(state(1), { calls: [['call-1', 'running']], turns: ['running'] });
    await connection.agent.notify(methods.agent.session.cancel, { sessionId: 'two' });
    await two;
  });
});
