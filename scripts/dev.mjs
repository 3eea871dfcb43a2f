// The one entry for a machine that has only Node and npm: installs what is missing, then does the task.
// usage: node scripts/dev.mjs setup|start|storybook|build|generate|test|check|bench|fuzz|mutants|chaos|load|pictures
import { spawnSync } from 'node:child_process';
import { env, fail, root, run, stay, step, totals, tries } from './run.mjs';
import { installBrowsers, installPackages, installServers } from './setup.mjs';

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
    installServers();
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
    installServers();
    build();
    const engines = ['chromium', 'firefox', 'webkit'].filter((engine) => !gone.includes(engine)).join(',');
    const ok = [
      await step('node', 'npm', ['run', '--silent', 'test:node']),
      await step('mutants', 'node', ['test/mutants/main.ts']),
      await step('browsers', 'wtr', [], { ENGINES: engines }),
      await step('storybook build', 'storybook', ['build', ...storybook, '-o', 'storybook-static', '--quiet']),
      await step('stories', 'node', ['test/stories/main.mjs']),
    ];
    console.log(`\n${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
    if (ok.includes(false)) process.exit(1);
  },
  /** Keeps what the stories with the tag "picture" look like now as what they are meant to look like. */
  pictures() {
    installPackages();
    if (installBrowsers().includes('chromium')) fail('Pictures are taken in Chromium.');
    build();
    run('storybook', ['build', ...storybook, '-o', 'storybook-static', '--quiet']);
    run('node', ['test/stories/main.mjs', '--keep', ...process.argv.slice(3)]);
  },
  /** Goes through everything and says at the end what was wrong, so that one run is enough to know. */
  check() {
    installPackages();
    build();
    const wrong = [];
    const look = (name, command, args, cwd = root) => {
      console.log(`\n== ${name}`);
      if (!tries(command, args, { cwd })) wrong.push(name);
    };
    look('format', 'prettier', ['--check', '--log-level', 'warn', '.']);
    look('lint', 'oxlint', ['--deny-warnings']);
    for (const folder of ['test', 'stories', 'examples', 'test/consumers']) look(`types of ${folder}`, 'tsc', ['--noEmit', '-p', folder]);
    look('types of test/consumers, bundled', 'tsc', ['-p', 'test/consumers', '--module', 'esnext', '--moduleResolution', 'bundler']);
    look('generated files', 'node', ['packages/schema/scripts/generate.ts', '--check']);
    look('table of what dialects lose', 'node', ['packages/schema/scripts/losses.ts', '--check']);
    look('service worker', 'node', ['packages/client/scripts/push-worker.ts', '--check']);
    for (const name of published) {
      look(`package ${name}`, 'publint', ['--strict'], `${root}packages/${name}`);
      look(`types of package ${name}`, 'attw', ['--pack', '.', '--profile', 'esm-only', '--format', 'ascii'], `${root}packages/${name}`);
    }
    look('sizes', 'size-limit', []);
    // Which packages changed is asked of the branch they will land on; a checkout without it (a tag, say) has none to compare with.
    if (spawnSync('git', ['rev-parse', '--verify', '--quiet', 'main'], { cwd: root }).status === 0)
      look('changesets', 'changeset', ['status']);
    else console.log('\nNo branch main here: changesets are not compared.');
    if (wrong.length > 0) fail(`Not in order: ${wrong.join(', ')}`);
    console.log('\nAll in order.');
  },
  generate() {
    installPackages();
    run('node', ['packages/schema/scripts/generate.ts']);
    run('node', ['packages/schema/scripts/losses.ts']);
    run('node', ['packages/client/scripts/push-worker.ts']);
    run('node', ['test/peers/table.ts']);
  },
  /** Spoiled frames for every dialect: `npm run fuzz -- --runs N --seed S --dialect name`. */
  fuzz() {
    installPackages();
    build();
    run('node', ['test/fuzz/main.ts', ...process.argv.slice(3)]);
  },
  /** Faults put into the rules one by one; shows the test that notices each. */
  mutants() {
    installPackages();
    build();
    run('node', ['test/mutants/main.ts']);
  },
  /** Faults at random over the whole way from producer to reader: `npm run chaos -- --faults N --commands N --seed S`. */
  chaos() {
    installPackages();
    installServers();
    build();
    run('node', ['test/chaos/main.ts', ...process.argv.slice(3)]);
  },
  /** Many readers of one gateway: `npm run load -- --clients N --rate N --seconds N`. */
  load() {
    installPackages({ bench: true });
    build();
    run('node', ['bench/load/main.ts', ...process.argv.slice(3)], { env });
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
