export type Message = Record<string, unknown> & {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
};

/** A transport whose other side is a function: it sees what is sent and answers with `deliver`, at once or later. */
export class ScriptedTransport {
  onmessage: ((message: Message, extra?: unknown) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly sent: Message[] = [];
  script: (message: Message, transport: ScriptedTransport) => void | Promise<void>;

  constructor(script: ScriptedTransport['script'] = () => {}) {
    this.script = script;
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  async send(message: Message): Promise<void> {
    this.sent.push(message);
    await this.script(message, this);
  }

  deliver(...messages: readonly Message[]): void {
    for (const message of messages) this.onmessage?.(message);
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

export const tokenOf = (request: Message | undefined): string | number =>
  (request?.params?.['_meta'] as { progressToken?: string | number } | undefined)?.progressToken ?? 'no token';
export const progress = (progressToken: unknown, amount: unknown, more: Record<string, unknown> = {}): Message => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: amount, ...more },
});
export const result = (id: string | number, more: Record<string, unknown> = {}): Message => ({
  jsonrpc: '2.0',
  id,
  result: { content: [], ...more },
});
export const call = (id: string | number, meta?: Record<string, unknown>, name = 'scan'): Message => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: { path: '/' }, ...(meta === undefined ? {} : { _meta: meta }) },
});

/** What a server answers while a client of the SDK connects. */
export function handshake(message: Message, transport: ScriptedTransport): boolean {
  if (message.method !== 'initialize') return message.method === 'notifications/initialized';
  transport.deliver({
    jsonrpc: '2.0',
    id: message.id as number,
    result: {
      protocolVersion: message.params?.['protocolVersion'],
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1' },
    },
  });
  return true;
}
