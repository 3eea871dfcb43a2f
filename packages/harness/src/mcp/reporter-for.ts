import { mcpProgress } from '@sitrep/schema/dialect/mcp';
import { currentReporter } from '../context/current.ts';
import { createReporter } from '../reporter/reporter.ts';
import type { Reporter } from '../reporter/types.ts';
import type { McpCall, McpTapOptions } from './types.ts';

/** A reporter for one call, where the host gives none of its own: with the tap's sink, else inside the current one. */
export function reporterFor(call: McpCall, options: McpTapOptions): Reporter | undefined {
  const { reporterFor: _, onProgress: __, server: ___, limits: ____, sink, session, ...rest } = options;
  const { name, requestId, progressToken, server } = call;
  const tool = server === undefined ? { name, origin: 'mcp' } : { name, origin: 'mcp', server };
  const native = { protocol: mcpProgress.name, ids: { requestId, progressToken } };
  const own = { title: name, kind: 'tool', tool, native, ...rest };
  if (sink !== undefined && session !== undefined) return createReporter({ ...own, sink, session });
  return currentReporter()?.child(own);
}
