// The one entry for a machine that has only Node and npm: installs what is missing, then does the task.
// usage: node scripts/dev.mjs setup|start|storybook|build|test|check|bench
import { spawnSync } from 'node:child_process';
import { env, fail, root, run, stay, step, totals } from './run.mjs';
import { installBrowsers, installPackages } from './setup.mjs';

const published = ['schema', 'client', 'elements', 'harness', 'server'];

function build() {
  run('tsc', ['-b']);
  run('node', ['packages/elements/scripts/minify-templates.ts']);
  run('cem', ['analyze', '--config', 'custom-elements-manifest.config.mjs', '--quiet'], { cwd: `${root}packages/elements` });
}

const storybook = ['-c', 'stories/.storybook', '--disable-telemetry'];

const tasks = {
  setup() {
    installPackages();
    installBrowsers();
  },
  build() {
    installPackages();
    build();
  },
  start() {
    installPackages();
    build();
    stay('node', ['examples/live-run/src/main.ts']);
  },
  storybook() {
    installPackages();
    build();
    stay('storybook', ['dev', ...storybook, '-p', process.env.PORT ?? '6006', '--ci', '--no-open', '--no-version-updates']);
  },
  async test() {
    installPackages();
    const gone = installBrowsers();
    build();
    const engines = ['chromium', 'firefox', 'webkit'].filter((engine) => !gone.includes(engine)).join(',');
    const ok = [
      await step('node', 'npm', ['run', '--silent', 'test:node']),
      await step('browsers', 'wtr', [], { ENGINES: engines }),
      await step('storybook build', 'storybook', ['build', ...storybook, '-o', 'storybook-static', '--quiet']),
      await step('stories', 'node', ['test/stories-sweep.mjs']),
    ];
    console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
    if (ok.includes(false)) process.exit(1);
  },
  check() {
    installPackages();
    build();
    run('prettier', ['--check', '--log-level', 'warn', '.']);
    run('oxlint', ['--deny-warnings']);
    run('tsc', ['--noEmit', '-p', 'test']);
    run('tsc', ['--noEmit', '-p', 'stories']);
    run('tsc', ['--noEmit', '-p', 'examples']);
    run('tsc', ['-p', 'test/consumers']);
    run('tsc', ['-p', 'test/consumers', '--module', 'esnext', '--moduleResolution', 'bundler']);
    run('node', ['packages/schema/scripts/generate.ts', '--check']);
    for (const name of published) {
      const cwd = `${root}packages/${name}`;
      run('publint', ['--strict'], { cwd });
      run('attw', ['--pack', '.', '--profile', 'esm-only'], { cwd });
    }
    run('size-limit', []);
    // Which packages changed is asked of the branch they will land on; a checkout without it (a tag, say) has none to compare with.
    if (spawnSync('git', ['rev-parse', '--verify', '--quiet', 'main'], { cwd: root }).status === 0) run('changeset', ['status']);
    else console.log('No branch main here: changesets are not compared.');
  },
  bench() {
    installPackages({ bench: true });
    installBrowsers();
    build();
    run('node', ['bench/main.ts', ...process.argv.slice(3)], { env });
  },
};

const task = tasks[process.argv[2]];
if (!task) fail(`usage: node scripts/dev.mjs ${Object.keys(tasks).join('|')}`);
await task();
