// A Web Test Runner launcher for the WebKitGTK that Debian ships: WebKitWebDriver + MiniBrowser under Xvfb.
// Speaks plain WebDriver over fetch, so that no webdriverio tree is installed.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { findBrowsers } from '../../scripts/browsers.mjs';

const freePort = () =>
  new Promise((resolve, reject) => {
    const s = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = s.address();
        s.close(() => resolve(port));
      });
  });

const BUTTONS = { left: 0, middle: 1, right: 2 };
const KEYS = {
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  Backspace: '\uE003',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Home: '\uE011',
  End: '\uE010',
  Shift: '\uE008',
};
export function webkitLauncher({ binary = findBrowsers().webkit, width = 1024, height = 768 } = {}) {
  const children = [];
  let base, sessionId, starting;
  const active = new Map();

  async function call(method, path, body) {
    const res = await fetch(base + path, {
      method,
      body: body && JSON.stringify(body),
      headers: body && { 'content-type': 'application/json' },
    });
    const { value } = await res.json();
    if (!res.ok) throw new Error(`WebKitWebDriver ${method} ${path}: ${value?.error}: ${value?.message}`);
    return value;
  }
  async function start() {
    let display = process.env.DISPLAY;
    if (!display) {
      const x = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
        stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      });
      children.push(x);
      display = await new Promise((resolve, reject) => {
        x.once('error', reject);
        x.once('exit', () => reject(new Error('Xvfb ended')));
        let out = '';
        x.stdio[3].on('data', (d) => {
          out += d;
          if (out.includes('\n')) resolve(`:${out.trim()}`);
        });
      });
    }
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const d = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
      stdio: 'ignore',
      env: { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
    });
    children.push(d);
    for (let i = 0; ; i++) {
      try {
        await call('GET', '/status');
        break;
      } catch (e) {
        if (i > 100) throw e;
        await new Promise((r) => setTimeout(r, 100));
      }
    }
    const s = await call('POST', '/session', {
      capabilities: {
        alwaysMatch: {
          browserName: 'MiniBrowser',
          pageLoadStrategy: 'none',
          'webkitgtk:browserOptions': { binary, args: ['--automation'] },
        },
      },
    });
    sessionId = s.sessionId;
    await call('POST', `/session/${sessionId}/window/rect`, { width, height });
  }
  const act = (source) => call('POST', `/session/${sessionId}/actions`, { actions: [source] });
  const pointer = (...actions) => act({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  const move = (x, y) => ({ type: 'pointerMove', duration: 0, x, y, origin: 'viewport' });
  return {
    name: 'WebKit',
    type: 'webdriver',
    concurrency: 1,
    async initialize() {
      if (!binary) throw new Error('no MiniBrowser: apt-get install webkit2gtk-driver xvfb');
    },
    async startSession(id, url) {
      await (starting ??= start());
      active.set(id, url);
      await call('POST', `/session/${sessionId}/url`, { url });
    },
    isActive: (id) => active.has(id),
    getBrowserUrl: (id) => active.get(id),
    async stopSession(id) {
      active.delete(id);
      await call('POST', `/session/${sessionId}/url`, { url: 'about:blank' });
      return {};
    },
    // What @web/test-runner-commands calls on a launcher of type "webdriver".
    sendKeys: (_id, keys) =>
      act({
        type: 'key',
        id: 'keys',
        actions: keys.flatMap((k) => {
          const value = KEYS[k] ?? k;
          return [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ];
        }),
      }),
    sendMouseMove: (_id, x, y) => pointer(move(x, y)),
    sendMouseClick: (_id, x, y, button) =>
      pointer(
        move(x, y),
        { type: 'pointerDown', button: BUTTONS[button ?? 'left'] },
        { type: 'pointerUp', button: BUTTONS[button ?? 'left'] },
      ),
    sendMouseDown: (_id, button) => pointer({ type: 'pointerDown', button: BUTTONS[button ?? 'left'] }),
    sendMouseUp: (_id, button) => pointer({ type: 'pointerUp', button: BUTTONS[button ?? 'left'] }),
    resetMouse: () => call('DELETE', `/session/${sessionId}/actions`),
    async takeScreenshot() {
      return Buffer.from(await call('GET', `/session/${sessionId}/screenshot`), 'base64');
    },
    async stop() {
      try {
        if (sessionId) await call('DELETE', `/session/${sessionId}`);
      } catch {}
      for (const c of children.toReversed()) c.kill();
    },
  };
}
