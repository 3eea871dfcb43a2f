// Runs commands for the other scripts, with the workspace's own tools (its Node included) first on the PATH.
import { spawn, spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';

export const root = new URL('..', import.meta.url).pathname;
export const env = {
  ...process.env,
  STORYBOOK_DISABLE_TELEMETRY: '1',
  PATH: `${root}node_modules/.bin${delimiter}${process.env.PATH}`,
};

export function fail(message) {
  console.error(`\n${message}`);
  process.exit(1);
}

/** Runs a command; true when it ended well. */
export function tries(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: 'inherit', cwd: root, env, ...options });
  if (result.error) console.error(`${command}: ${result.error.message}`);
  return result.status === 0;
}

/** Runs a command and ends the whole script when it fails. */
export function run(command, args, options = {}) {
  if (!tries(command, args, options)) fail(`This did not end well: ${[command, ...args].join(' ')}`);
}

/**
 * Runs something that lasts, hands signals on to it, and ends with its exit code. The channel between the two closes when
 * this process is killed, so that a program that listens for that does not stay behind and hold its port.
 */
export function stay(command, args, extraEnv = {}) {
  const child = spawn(command, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], cwd: root, env: { ...env, ...extraEnv } });
  child.once('error', (error) => fail(`${command}: ${error.message}`));
  // npm itself may be killed, and nobody tells us: then we belong to somebody else.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(1), 500).unref();
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.once('close', (code, signal) => process.exit(signal ? 0 : code));
}

/** Counts of all test steps so far. */
export const totals = { passed: 0, failed: 0, skipped: 0 };

/** Runs one test step, shows its output and adds up the counts it prints. True when it passed. */
export async function step(name, command, args, extraEnv = {}) {
  const started = Date.now();
  console.log(`\n== ${name}`);
  let output = '';
  const child = spawn(command, args, { cwd: root, env: { ...env, ...extraEnv }, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const before = totals.passed + totals.failed;
  for (const match of output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)) {
    totals.passed += +match[1];
    totals.failed += +match[2];
    totals.skipped += +(match[3] ?? 0);
  }
  for (const [key, word] of [
    ['passed', 'pass'],
    ['failed', 'fail'],
    ['skipped', 'skipped'],
  ]) {
    for (const match of output.matchAll(new RegExp(`^(?:#|ℹ) ${word} (\\d+)$`, 'gm'))) totals[key] += +match[1];
  }
  // A step that died before it could count has failed once.
  if (code !== 0 && totals.passed + totals.failed === before) totals.failed++;
  console.log(`== ${name}: ${code === 0 ? 'ok' : `exit ${code}`}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return code === 0;
}
