/**
 * A small MCP server over stdio, written on raw JSON-RPC so that it decides what goes into one write: `burst` sends
 * `steps` progress notifications and the response at once, `silent` none, `broken` answers an error result.
 */
import { createInterface } from 'node:readline';

interface Request {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly protocolVersion?: string;
    readonly arguments?: { readonly steps?: number };
    readonly _meta?: { readonly progressToken?: unknown };
  };
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

function answer({ id, method, params = {} }: Request): string {
  if (id === undefined) return '';
  switch (method) {
    case 'initialize':
      return line({
        id,
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'burst', version: '1.0.0' } },
      });
    case 'tools/list':
      return line({ id, result: { tools: ['burst', 'silent', 'broken'].map((name) => ({ name, inputSchema: { type: 'object' } })) } });
    case 'tools/call':
      return call(id, params);
    default:
      return line({ id, error: { code: -32601, message: `No method ${method}` } });
  }
}

function call(id: number | string, { name, arguments: args = {}, _meta: meta = {} }: NonNullable<Request['params']>): string {
  const steps = name === 'burst' ? (args.steps ?? 4) : 0;
  let text = '';
  for (let step = 1; step <= steps && meta.progressToken !== undefined; step += 1) {
    text += line({
      method: 'notifications/progress',
      params: { progressToken: meta.progressToken, progress: step, total: steps, message: `step ${step}` },
    });
  }
  return (
    text +
    line({
      id,
      result: {
        content: [{ type: 'text', text: name === 'broken' ? 'It broke' : JSON.stringify(meta) }],
        ...(name === 'broken' ? { isError: true } : {}),
      },
    })
  );
}

createInterface({ input: process.stdin }).on('line', (text) => {
  const reply = answer(JSON.parse(text) as Request);
  if (reply !== '') process.stdout.write(reply);
});
