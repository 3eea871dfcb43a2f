import { createMemorySink } from '@sitrep/harness/sink';
import { tapMcpTransport } from '@sitrep/harness/mcp';
import type { McpTapOptions } from '@sitrep/harness/mcp';
import type { Diagnostic } from '@sitrep/harness';
import type { OperationEvent } from '@sitrep/schema/wire';
import { ManualClock } from './manual-clock.ts';
import { ScriptedTransport } from './scripted-transport.ts';
import type { Message } from './scripted-transport.ts';

/** A scripted transport with a tap on it, and everything that came of it. */
export function tapped(script?: ScriptedTransport['script'], options: Partial<McpTapOptions> = {}) {
  const transport = new ScriptedTransport(script);
  const sink = createMemorySink();
  const clock = new ManualClock();
  const diagnostics: Diagnostic[] = [];
  const seen: Message[] = [];
  const tap = tapMcpTransport(transport, {
    sink,
    session: 's',
    throttleMs: 0,
    clock,
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
    ...options,
  });
  transport.onmessage = (message) => seen.push(message);
  const events = sink.events as readonly OperationEvent[];
  const story = (): unknown[] =>
    events.map(({ state, current, total, message }) =>
      [state, current, total, message].filter((value) => value !== undefined && value !== null),
    );
  return { transport, tap, sink, events, seen, diagnostics, story, clock };
}
