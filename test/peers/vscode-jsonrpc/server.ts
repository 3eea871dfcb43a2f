/** A server over stdio: each request `run` plays one scenario, in the protocol's own words or in ours, and then answers. */
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import { lsp } from '@sitrep/schema/dialect/lsp';
import type { LspFrame } from '@sitrep/schema/dialect/lsp';
import { createDecoder, createEncoder } from '@sitrep/schema/translate';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { OURS, THEIRS } from './scenarios.ts';

const connection = createMessageConnection(new StreamMessageReader(process.stdin), new StreamMessageWriter(process.stdout));
const CANCEL = 'window/workDoneProgress/cancel';
const cancels: unknown[] = [];
const waiting: (() => void)[] = [];

connection.onNotification(CANCEL, (params: unknown) => {
  cancels.push({ jsonrpc: '2.0', method: CANCEL, params });
  for (const go of waiting.splice(0)) go();
});

/** What the protocol's own words say; `wait` waits for a cancel. */
connection.onRequest('theirs', async (name: string) => {
  const sent: Promise<void>[] = [];
  for (const step of THEIRS[name] ?? []) {
    if (step === 'wait') await new Promise<void>((resolve) => (cancels.length > 0 ? resolve() : waiting.push(resolve)));
    else sent.push(connection.sendNotification('$/progress', step));
  }
  // Nothing is waited for: what was said leaves together with the answer.
  void Promise.all(sent);
  return 'done';
});

/** Our events, written by our dialect and sent by the library. */
connection.onRequest('ours', async (name: string) => {
  const encoder = createEncoder(lsp, 'server');
  for (const event of OURS[name] ?? []) {
    if (event === 'wait') {
      await new Promise<void>((resolve) => (cancels.length > 0 ? resolve() : waiting.push(resolve)));
      continue;
    }
    for (const frame of encoder.encode(event)) await send(frame);
  }
  return 'done';
});

/** What our dialect reads of the cancels that came. */
connection.onRequest('cancels', () => {
  const decoder = createDecoder(lsp, { session: 'server' });
  const events: ProgressEvent[] = cancels.splice(0).flatMap((frame) => {
    const decoded = decoder.decode(frame, 1);
    return decoded.ok ? decoded.events : [];
  });
  return events;
});

async function send(frame: LspFrame): Promise<void> {
  if ('id' in frame) await connection.sendRequest(frame.method, frame.params);
  else void connection.sendNotification(frame.method, frame.params);
}

connection.onClose(() => process.exit(0));
connection.listen();
