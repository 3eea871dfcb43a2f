// WebKitGTK as it is installed, over WebDriver: one command at a time, each to the window that was chosen before it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { Tab, Tabs } from './tabs.ts';
import { freePort } from '../../../support/free-port.ts';

async function display(children: ChildProcess[]): Promise<string> {
  if (process.env['DISPLAY']) return process.env['DISPLAY'];
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  let said = '';
  for await (const text of child.stdio[3] as Readable) {
    said += String(text);
    if (said.includes('\n')) break;
  }
  return `:${said.trim()}`;
}

export async function openWebkit(binary: string): Promise<Tabs> {
  const children: ChildProcess[] = [];
  const env = { ...process.env, DISPLAY: await display(children), GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' };
  const port = await freePort();
  children.push(spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env }));
  // A test that hangs is ended without its last words.
  process.once('exit', () => children.forEach((child) => child.kill('SIGKILL')));
  let last: Promise<unknown> = Promise.resolve();

  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await response.json()) as { value: T & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  for (;;) {
    if (await call('GET', '/status').then(Boolean, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { sessionId, capabilities } = await call<{ sessionId: string; capabilities: { browserVersion: string } }>('POST', '/session', {
    capabilities: { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { binary, args: ['--automation'] } } },
  });
  const session = `/session/${sessionId}`;
  /** The one it came with, which stays: a new window is asked for from one that is there. */
  const first = await call<string>('GET', `${session}/window`);
  /** One thing after the other: what is asked of a window must not be heard by the next. */
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    version: `WebKit ${capabilities.browserVersion}`,
    open: (url): Promise<Tab> =>
      alone(async () => {
        await call('POST', `${session}/window`, { handle: first });
        const { handle } = await call<{ handle: string }>('POST', `${session}/window/new`, { type: 'tab' });
        const choose = () => call('POST', `${session}/window`, { handle });
        await choose();
        await call('POST', `${session}/url`, { url });
        return {
          evaluate: <T>(expression: string) =>
            alone(async () => {
              await choose();
              return call<T>('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] });
            }),
          start: (statement) =>
            alone(async () => {
              await choose();
              await call('POST', `${session}/execute/sync`, { script: `setTimeout(() => { ${statement} })`, args: [] });
            }),
          close: () =>
            alone(async () => {
              await choose();
              await call('DELETE', `${session}/window`);
            }),
        };
      }),
    async [Symbol.asyncDispose]() {
      await call('DELETE', session).catch(() => undefined);
      for (const child of children.toReversed()) {
        const exited = child.exitCode === null && once(child, 'exit');
        child.kill();
        await exited;
      }
    },
  };
}
