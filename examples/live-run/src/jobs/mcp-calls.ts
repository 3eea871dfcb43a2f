import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { Sink } from '@sitrep/harness';

/** Path of the reference MCP server's executable, as its package names it. */
function serverPath(): string {
  const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json');
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: string | Record<string, string> };
  return join(dirname(manifest), typeof bin === 'string' ? bin : Object.values(bin)[0]!);
}

/**
 * Starts a real third-party MCP server over stdio and calls its long-running tool twice at once with the same
 * arguments. The tap gives each call its own operation; the client knows nothing of it.
 */
export async function callTwice(options: {
  sink: Sink;
  session: string;
  run: string;
  seconds: number;
  signal: AbortSignal;
}): Promise<string[]> {
  const { sink, session, run, seconds, signal } = options;
  const transport = new StdioClientTransport({ command: process.execPath, args: [serverPath(), 'stdio'], stderr: 'ignore' });
  const { transport: tapped } = tapMcpTransport(transport, { sink, session, run, server: 'everything', title: 'Ask a public MCP server' });
  const client = new Client({ name: 'live-run', version: '0.0.0' });
  try {
    await client.connect(tapped);
    const { tools } = await client.listTools();
    const tool = tools.find(({ name }) => /long-?running/i.test(name));
    if (!tool) throw new Error('The MCP server offers no long-running tool.');
    const call = async () => {
      const answer = await client.callTool({ name: tool.name, arguments: { duration: seconds, steps: seconds } }, undefined, {
        signal,
        timeout: (seconds + 30) * 1000,
      });
      const [block] = answer.content as { type: string; text?: string }[];
      return block?.text ?? '';
    };
    return await Promise.all([call(), call()]);
  } finally {
    await client.close();
  }
}
