import { renderToString } from '../../packages/elements/dist/server.js';

const NONCE = 'once';
/** As strict as a page can be that talks to a gateway of another origin. */
const STRICT = [
  "default-src 'none'",
  `script-src 'nonce-${NONCE}' 'strict-dynamic'`,
  `style-src 'nonce-${NONCE}'`,
  'connect-src *',
  "require-trusted-types-for 'script'",
  'trusted-types lit-html dompurify',
].join('; ');

/** Takes down what a page says, and which nodes stood in it before any code of its own ran. */
const WATCH = `
  window.said = [];
  for (const how of ['error', 'warn', 'log', 'info']) console[how] = (...what) => void window.said.push(how + ': ' + what.join(' '));
  addEventListener('error', (event) => window.said.push('error: ' + event.message));
  addEventListener('unhandledrejection', (event) => window.said.push('rejection: ' + event.reason));
  // The test server's own script in every page is none of the page's.
  addEventListener('securitypolicyviolation', (event) => event.blockedURI.includes('web-dev-server') || window.said.push('violation: ' + event.violatedDirective + ' ' + event.blockedURI));`;
const KEEP = `
  const all = (root) => [...root.querySelectorAll('*')].flatMap((one) => [one, ...(one.shadowRoot ? all(one.shadowRoot) : [])]);
  window.elementsNow = () => all(document.body).filter((one) => !one.closest('script, style, template, .note'));
  window.before = window.elementsNow();`;

/**
 * Pages as an application's server would send them, at /server-drawn.html?page=…, a JSON of the markup, the sessions in it by address and what
 * else the server goes by; `script: false` leaves the code of the elements out, `strict` adds a content security policy.
 */
export function serverDrawnPlugin() {
  return {
    name: 'server-drawn',
    async serve({ path, query }) {
      if (path !== '/server-drawn.html') return undefined;
      const {
        markup,
        addresses = [],
        script = true,
        code = 'page.js',
        strict = false,
        before = '',
        after = '',
        ...options
      } = JSON.parse(query.page);
      const snapshots = await Promise.all(addresses.map(async (address) => [address, await (await fetch(address)).json()]));
      const body = await renderToString(markup, {
        sessions: Object.fromEntries(snapshots),
        ...(strict && { nonce: NONCE }),
        ...options,
      });
      const policy = strict ? `<meta http-equiv="content-security-policy" content="${STRICT}">` : '';
      const run = script ? `<script type="module" src="/test/browser/server-drawn/${code}" nonce="${NONCE}"></script>` : '';
      return {
        type: 'html',
        body: `<!doctype html><html lang="en"><head><meta charset="utf-8">${policy}<title>Drawn</title>
<script nonce="${NONCE}">${WATCH}</script></head>
<body>${before}<main>${body}</main>${after}<script nonce="${NONCE}">${KEEP}</script>${run}</body></html>`,
      };
    },
  };
}
