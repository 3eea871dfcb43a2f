import { chromeLauncher } from '@web/test-runner-chrome';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { a11ySnapshotPlugin } from '@web/test-runner-commands/plugins';
import { chromiumArgs, findBrowsers } from './scripts/browsers.mjs';
import { countsReporter } from './test/engines/counts-reporter.mjs';
import { gatewayPlugin } from './test/engines/gateway.mjs';
import { serverDrawnPlugin } from './test/engines/server-drawn.mjs';
import { webviewPlugin } from './test/engines/webview.mjs';
import { touchPlugin } from './test/engines/touch.mjs';
import { webkitLauncher } from './test/engines/webkit.mjs';

const found = findBrowsers();
const named = (name, launcher) => Object.assign(launcher, { name });
const engines = {
  chromium: () => named('Chromium', chromeLauncher({ launchOptions: { executablePath: found.chromium, args: chromiumArgs } })),
  // Stock Firefox through WebDriver BiDi; it reports as Chrome unless it is named.
  firefox: () => named('Firefox', chromeLauncher({ launchOptions: { browser: 'firefox', executablePath: found.firefox } })),
  webkit: () => webkitLauncher(),
};
const wanted = (process.env.ENGINES ?? 'chromium').split(',');
for (const engine of wanted) if (!found[engine]) throw new Error(`${engine} is not installed: run "npm run setup"`);

export default {
  rootDir: '.',
  files: 'test/browser/**/*.test.ts',
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [
    esbuildPlugin({ ts: true, target: 'es2022' }),
    gatewayPlugin(),
    serverDrawnPlugin(),
    webviewPlugin(),
    a11ySnapshotPlugin(),
    touchPlugin(),
  ],
  browsers: wanted.map((engine) => engines[engine]()),
  concurrentBrowsers: 1,
  testFramework: { config: { timeout: 20_000 } },
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: process.stdout.isTTY }), countsReporter()],
  testsStartTimeout: 60_000,
  browserStartTimeout: 60_000,
  testsFinishTimeout: 180_000,
};
