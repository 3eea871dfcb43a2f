// Installs what a machine with only Node and npm lacks: the workspace's packages, and browsers for the tests.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { aptPackages, findBrowsers } from './browsers.mjs';
import { findServers, serverPackages } from './servers.mjs';
import { env, fail, root, run } from './run.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) fail(`Node ${process.versions.node} is too old: 20.19 or newer is needed.`);

/**
 * Installs the locked packages. The benchmark's peers are large and needed by nobody else, so they come only when
 * asked for.
 */
export function installPackages({ bench = false } = {}) {
  const stamp = `${root}node_modules/.installed`;
  const lock = readFileSync(`${root}pnpm-lock.yaml`);
  const manifests = readFileSync(`${root}package.json`);
  const want = createHash('sha256').update(lock).update(manifests).update(process.platform).digest('hex');
  const has = existsSync(stamp) ? readFileSync(stamp, 'utf8') : '';
  if (has === `${want} all` || (!bench && has === want)) return;
  const { pnpm } = JSON.parse(manifests).devDependencies;
  // --yes: npx must not ask. CI=true: pnpm must not ask either.
  console.log('Installing the locked packages. Warnings about engines, a missing bin and npm settings are harmless here.\n');
  const filter = bench ? [] : ['--filter', '!@sitrep/bench'];
  run('npx', ['--yes', `pnpm@${pnpm}`, ...filter, 'install', '--frozen-lockfile', '--prefer-offline'], { env: { ...env, CI: 'true' } });
  writeFileSync(stamp, bench ? `${want} all` : want);
}

/** Installs what is missing where this account may; answers the names of what still is, and the packages they are in. */
function install(find, packagesOf) {
  const missing = () =>
    Object.entries(find())
      .filter(([, path]) => !path)
      .map(([name]) => name);
  const gone = missing();
  const packages = [...new Set(gone.flatMap((name) => packagesOf[name]))];
  if (gone.length === 0 || process.platform !== 'linux' || !existsSync('/usr/bin/apt-get') || process.getuid() !== 0)
    return { gone, packages };
  console.log(`installing ${packages.join(' ')} with apt-get`);
  // RUNLEVEL: a server that is installed for the tests must not be started as a service as well.
  const apt = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } };
  run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-q', 'update'], apt);
  run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', '-q', '-y', '--no-install-recommends', 'install', ...packages], apt);
  return { gone: missing(), packages };
}

/** Finds or installs the servers that tests start for themselves, and says plainly which tests cannot be run without. */
export function installServers() {
  const { gone, packages } = install(findServers, serverPackages);
  if (gone.length === 0) return;
  const hint = `sudo apt-get install --no-install-recommends ${packages.join(' ')}`;
  fail(
    `Not installed: ${gone.join(', ')}, which the tests start for themselves. This account cannot install them. On Debian or Ubuntu run:\n  ${hint}\nor name them yourself: REDIS_SERVER=/path NGINX=/path`,
  );
}

/** Finds or installs the three engines; answers the names of those that are missing. */
export function installBrowsers() {
  const { gone, packages } = install(findBrowsers, aptPackages);
  if (gone.length > 0) {
    const hint = `sudo apt-get install --no-install-recommends ${packages.join(' ')}`;
    const text = `Not installed: ${gone.join(', ')}. This account cannot install them. On Debian or Ubuntu run:\n  ${hint}\nor name a browser yourself: CHROMIUM=/path FIREFOX=/path WEBKIT=/path`;
    if (process.env.CI || gone.includes('chromium')) fail(text);
    console.warn(`\n${text}\nGoing on without ${gone.join(', ')}.`);
  }
  return gone;
}
