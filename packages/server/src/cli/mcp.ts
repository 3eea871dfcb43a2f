import type { ToolName } from '@sitrep/harness/tools';
import { sessionNameFault } from '../gateway/session/session-name.ts';
import type { ClientsOptions } from '../mcp/clients.ts';
import { gatewayUrl, parse } from './arguments.ts';
import { gatewayHeaders } from './gateway-headers.ts';
import { UsageError } from './usage-error.ts';
import { MCP_USAGE } from './usage.ts';

const TOOLS: readonly ToolName[] = ['report_progress', 'progress', 'progress_card'];
const DEFAULT_PORT = 4748;

/** `sitrep mcp`: resolves when its client has gone, or when it was told to stop. */
export async function mcp(args: string[]): Promise<number> {
  const { values, positionals } = parse('mcp', args, {
    url: { type: 'string' },
    session: { type: 'string' },
    tools: { type: 'string' },
    http: { type: 'boolean' },
    port: { type: 'string' },
  });
  if (values.help) {
    process.stdout.write(MCP_USAGE);
    return 0;
  }
  if (positionals.length > 0) throw new UsageError(`mcp takes no "${positionals[0]}".`, 'mcp');
  if (values.port !== undefined && !values.http) throw new UsageError('--port goes with --http.', 'mcp');
  const port = Number(values.port ?? DEFAULT_PORT);
  if (!/^\d+$/.test(values.port ?? '0') || port > 65_535) throw new UsageError('--port must be a whole number from 0 to 65535.', 'mcp');
  const session = values.session ?? (process.env['SITREP_SESSION'] || undefined);
  const fault = session === undefined ? undefined : sessionNameFault(session);
  if (fault !== undefined) throw new UsageError(fault, 'mcp');
  const tools = toolsOf(values.tools);
  const warn = (message: string): void => void process.stderr.write(`sitrep mcp: ${message}\n`);
  const options: ClientsOptions = {
    url: gatewayUrl('mcp', values.url),
    headers: gatewayHeaders(),
    session,
    folder: process.cwd(),
    warn,
    opened: (name) => warn(`writing to session "${name}"`),
  };

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  if (values.http) return serveHttp(options, tools, port, stop.signal);
  const [{ serveOverStdio }, { createClient }] = await Promise.all([import('../mcp/stdio.ts'), import('../mcp/clients.ts')]);
  const client = createClient(options);
  await serveOverStdio({ tools, call: (...call) => client.call(...call) }, warn, stop.signal);
  await client.close();
  // A retry that still waits for the gateway must not keep the process.
  process.exit(0);
}

async function serveHttp(options: ClientsOptions, tools: readonly ToolName[], port: number, signal: AbortSignal): Promise<number> {
  const [{ createMcpApp }, { startServer, stopServer }] = await Promise.all([import('../mcp/http.ts'), import('../http/listen.ts')]);
  const { app, close } = createMcpApp(options, tools);
  const { url, server } = await startServer(app, { port }, { clientLimit: 1_000, log: options.warn }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') throw error;
      throw new Error(`Port ${port} is in use. Stop what uses it, or name another with --port.`, { cause: error });
    },
  );
  process.stdout.write(`sitrep mcp at ${url}/mcp (gateway: ${options.url})\n`);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await close();
  await stopServer(server);
  process.exit(0);
}

function toolsOf(text: string | undefined): readonly ToolName[] {
  if (text === undefined) return TOOLS;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !(TOOLS as readonly string[]).includes(name));
  if (unknown !== undefined) throw new UsageError(`--tools takes ${TOOLS.join(', ')}, separated by commas, not "${unknown}".`, 'mcp');
  return TOOLS.filter((name) => names.includes(name));
}
