import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'node:test';

const BIN = fileURLToPath(new URL('../../bin/sitrep.js', import.meta.url));
const DRIVER = fileURLToPath(new URL('terminal-driver.py', import.meta.url));
/** Far more than anything here takes on the slowest machine: what hangs ends then. */
const DEADLINE_MS = 100_000;
/** What programs take their colours from besides the terminal: they would show what surrounds the test, not what it makes. */
const COLOURS =
  /^(CI|CI_NAME|GITHUB_ACTIONS|GITEA_ACTIONS|GITLAB_CI|TF_BUILD|AGENT_NAME|TEAMCITY_VERSION|FORCE_COLOR|NO_COLOR|NODE_DISABLE_COLORS|COLORTERM|TMUX|TERM_PROGRAM|TERM_PROGRAM_VERSION)$/;
const surroundings = (): NodeJS.ProcessEnv => Object.fromEntries(Object.entries(process.env).filter(([name]) => !COLOURS.test(name)));

/** Throws, naming what is missing, where no terminal can be had for a test. */
export function needTerminals(): void {
  for (const [command, args] of [
    ['python3', ['-c', 'import pty, termios, fcntl']],
    ['perl', ['-MPOSIX', '-e', '1']],
  ] as const) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status !== 0) {
      throw new Error(`The tests of sitrep run in a terminal need ${command}, which is not here: nothing about terminals was tested.`);
    }
  }
}

/** How a command in the terminal ended, and whether it left the terminal as it found it. */
export interface TerminalEnd {
  readonly code?: number;
  readonly signal?: number;
  readonly restored: boolean;
}

export interface TerminalOptions {
  /** Which of 0, 1 and 2 are the terminal. Default: all. */
  readonly fds?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A command in a real pseudo-terminal of 24 rows and 80 columns, started as the foreground job of a session. */
export class Terminal {
  shown = '';
  readonly ended: Promise<TerminalEnd>;
  readonly #driver: ChildProcess;
  #told = '';
  #faults = '';
  #stops = 0;
  #pid: number | undefined;
  #wake: () => void = () => undefined;

  constructor(t: TestContext, command: readonly string[], { fds = '012', env = {} }: TerminalOptions = {}) {
    needTerminals();
    const driver = spawn('python3', [DRIVER, fds, ...command], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...surroundings(), SITREP_URL: '', SITREP_SESSION: '', TERM: 'xterm-256color', ...env },
    });
    this.#driver = driver;
    driver.stdin.on('error', () => undefined);
    driver.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text;
      this.#wake();
    });
    this.ended = new Promise((resolve, reject) => {
      let end: TerminalEnd | undefined;
      driver.stderr.setEncoding('utf8').on('data', (text: string) => {
        this.#told += text;
        const lines = this.#told.split('\n');
        this.#told = lines.pop() ?? '';
        for (const line of lines) {
          if (!line.startsWith('{')) {
            this.#faults += `${line}\n`;
            continue;
          }
          const words = JSON.parse(line) as TerminalEnd & { pid?: number; stopped?: boolean };
          if (words.pid !== undefined) this.#pid = words.pid;
          else if (words.stopped) {
            this.#stops += 1;
            if (!words.restored) this.#faults += 'the terminal was not given back while stopped\n';
          } else end = words;
        }
        this.#wake();
      });
      driver.once('close', () => {
        this.#wake();
        if (end && this.#faults === '') resolve(end);
        else reject(new Error(`the terminal broke: ${this.#faults}${this.shown}`));
      });
    });
    this.ended.catch(() => undefined);
    const deadline = setTimeout(() => {
      this.#faults += `it did not end within ${DEADLINE_MS} ms\n`;
      driver.kill('SIGKILL');
    }, DEADLINE_MS);
    t.after(() => {
      clearTimeout(deadline);
      driver.kill('SIGKILL');
    });
  }

  /** The process of the command itself. */
  get pid(): number {
    return this.#pid as number;
  }

  /** Types. */
  type(text: string): void {
    this.#order({ send: text });
  }

  resize(rows: number, columns: number): void {
    this.#order({ size: [rows, columns] });
  }

  /** What `fg` does. */
  resume(): void {
    this.#order({ resume: true });
  }

  /** The window is closed. */
  hangUp(): void {
    this.#order({ hangup: true });
  }

  /** Waits until it is shown. */
  async shows(pattern: RegExp): Promise<RegExpExecArray> {
    await this.#until(() => pattern.test(this.shown), String(pattern));
    return pattern.exec(this.shown) as RegExpExecArray;
  }

  /** Waits until the job has been stopped so many times. */
  async stopped(times = 1): Promise<void> {
    await this.#until(() => this.#stops >= times, `${times} stops`);
  }

  #order(order: object): void {
    this.#driver.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  async #until(ready: () => boolean, what: string): Promise<void> {
    while (!ready()) {
      if (this.#driver.exitCode !== null || this.#driver.signalCode !== null)
        throw new Error(`ended without ${what}: ${this.shown}${this.#faults}`);
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** `sitrep run` in a terminal. */
export function runIn(t: TestContext, url: string, command: readonly string[], options?: TerminalOptions): Terminal {
  return new Terminal(t, [process.execPath, BIN, 'run', '--url', url, '--id', 'x', '--', ...command], options);
}
