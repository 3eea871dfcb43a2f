import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { embedPage, webviewPage } from '../../examples/vscode-webview/src/page.ts';

const folder = fileURLToPath(new URL('../../examples/vscode-webview/', import.meta.url));
const TYPES = { '.js': 'application/javascript', '.css': 'text/css' };

/** What an editor puts into the page of a webview, and what a test wants to know of a page it cannot look into. */
const HOST = `
  window.acquireVsCodeApi = () => ({ postMessage: (message) => parent.postMessage({ message }, '*') });
  const tell = (problem) => parent.postMessage({ problem }, '*');
  for (const how of ['error', 'warn']) console[how] = (...what) => tell(how + ': ' + what.join(' '));
  // A size that changes twice in one frame is told in the next one: no fault of anybody's.
  addEventListener('error', (event) => /ResizeObserver loop/.test(event.message) || tell('error: ' + event.message));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    blockedURI.includes('web-dev-server') || tell('violation: ' + violatedDirective + ' ' + blockedURI));
  const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  const words = (root) => [...root.childNodes].map((node) => node.nodeType === 3 ? node.data
    : /^(style|script)$/.test(node.localName) ? '' : (node.shadowRoot ? words(node.shadowRoot) : '') + ' ' + words(node)).join(' ');
  addEventListener('message', ({ data }) => {
    if (data?.ask) parent.postMessage({ answer: words(document.body).replace(/\\s+/g, ' '), origin: String(self.origin),
      surface: getComputedStyle(document.querySelector('progress-card').shadowRoot?.querySelector('.base') ?? document.body).backgroundColor }, '*');
    if (data?.click) all(document.body).find((one) => one.getAttribute('part') === data.click)?.click();
  });`;

/** The pages of the example for webviews, at /webview/page.html and /webview/embed.html, as an editor or a chat would load them. */
export function webviewPlugin() {
  let built;
  return {
    name: 'webview',
    async serve(context) {
      const { path, origin, query } = context;
      if (!path.startsWith('/webview/')) return undefined;
      built ??= promisify(execFile)(process.execPath, ['src/build.ts'], { cwd: folder });
      await built;
      // A sandboxed page has no origin.
      context.set('access-control-allow-origin', '*');
      const name = path.slice('/webview/'.length);
      const type = TYPES[/\.\w+$/.exec(name)[0]];
      if (type) return { type, body: readFileSync(`${folder}dist/${name}`, 'utf8') };
      const nonce = 'once';
      const parts = { source: origin, nonce, theme: `${origin}/webview/vscode.css`, gateway: query.gateway };
      const html =
        name === 'embed.html'
          ? embedPage({ ...parts, script: `${origin}/webview/embed.js` })
          : webviewPage({ ...parts, script: `${origin}/webview/webview.js` });
      const colours = `document.documentElement.style.setProperty('--vscode-editorWidget-background', 'rgb(12, 34, 56)');`;
      return {
        type: 'html',
        body: html
          .replace('<script', '<script crossorigin')
          .replace('<title>', `<script nonce="${nonce}">${HOST}${colours}</script><title>`),
      };
    },
  };
}
