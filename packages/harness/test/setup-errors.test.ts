import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReporter, tapMcpTransport, track } from '@sitrep/harness';
import { createProgressCallbacks } from '@sitrep/harness/langchain';
import { wrapMcpTool } from '@sitrep/harness/mcp-server';
import { createSlackSink } from '@sitrep/harness/slack';
import { createTerminalSink } from '@sitrep/harness/terminal';
import { createVsCodeSink } from '@sitrep/harness/vscode';

describe('what cannot be set up', () => {
  const refused: Readonly<Record<string, readonly [call: () => unknown, message: RegExp]>> = {
    'a reporter of nothing': [() => createReporter(undefined as never), /createReporter needs \{ sink, session \}, not undefined/],
    'a tap on nothing': [() => tapMcpTransport(undefined as never, {}), /needs the transport of a client, not undefined/],
    'a tap without options': [() => tapMcpTransport({} as never, undefined as never), /tapMcpTransport needs options, not undefined/],
    'a loop over a number': [() => track(42 as never), /what can be iterated over, not number/],
    'a loop over null': [() => track(null as never), /not null/],
    'an MCP handler that is none': [() => wrapMcpTool({} as never), /wrapMcpTool needs the handler of a tool, .* not object/],
    'a Slack sink without a client': [
      () => createSlackSink({} as never),
      /createSlackSink needs \{ client, session, channel, thread_ts \}; client was undefined/,
    ],
    'a terminal sink without an output': [() => createTerminalSink({ session: 's' } as never), /output was undefined/],
    'an editor sink without options': [() => createVsCodeSink(null as never), /createVsCodeSink needs \{ window, session \}, not null/],
    'callbacks without a session': [() => createProgressCallbacks({ sink: {} } as never), /session was undefined/],
  };
  for (const [name, [call, message]] of Object.entries(refused)) {
    it(`is refused with what to pass: ${name}`, () => {
      assert.throws(call, { name: 'TypeError', message });
    });
  }
});
