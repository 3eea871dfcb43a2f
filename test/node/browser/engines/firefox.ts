// Firefox as it is installed, over WebDriver BiDi: one WebSocket, one message a command.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Tab, Tabs } from './tabs.ts';

const QUIET = {
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.update.disabledForTesting': true,
  'toolkit.startup.max_resumed_crashes': -1,
};

interface Answer {
  readonly id?: number;
  readonly type: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
}

export async function openFirefox(binary: string): Promise<Tabs> {
  const profile = mkdtempSync(join(tmpdir(), 'sitrep-firefox-'));
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(QUIET)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  const child = spawn(binary, ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  });
  const exited = once(child, 'exit');
  // A test that hangs is ended without its last words.
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const match = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(said);
      if (match) resolve(match[1]!);
    });
    child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)));
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let commands = 0;
  const command = async <T>(method: string, params: object): Promise<T> => {
    const id = (commands += 1);
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    waiting.delete(id);
    if (answer.type !== 'success') throw new Error(`${method}: ${answer.error}: ${answer.message}`);
    return answer.result as T;
  };

  const { capabilities } = await command<{ capabilities: { browserVersion: string } }>('session.new', { capabilities: {} });
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    async open(url): Promise<Tab> {
      const { context } = await command<{ context: string }>('browsingContext.create', { type: 'tab', background: true });
      await command('browsingContext.navigate', { context, url, wait: 'complete' });
      return {
        async evaluate<T>(expression: string) {
          const { result, exceptionDetails } = await command<{ result?: { value: string }; exceptionDetails?: { text: string } }>(
            'script.evaluate',
            {
              expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
              target: { context },
              awaitPromise: true,
            },
          );
          if (exceptionDetails) throw new Error(exceptionDetails.text);
          return JSON.parse(result!.value) as T;
        },
        async start(statement) {
          await command('script.evaluate', { expression: `setTimeout(() => { ${statement} })`, target: { context }, awaitPromise: false });
        },
        async close() {
          await command('browsingContext.close', { context });
        },
      };
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill('SIGKILL');
      await exited;
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
