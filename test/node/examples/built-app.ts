import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Demo } from '../../../examples/live-run/src/demo/demo.ts';
import { root } from '../structure/source-graph.ts';

export const folderOf = (app: string): string => join(root, 'examples', app);

/** How a command ended, and everything it said. */
export function command(cwd: string, name: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const path = `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}`;
    const env = { ...process.env, PATH: path, CI: '1', NO_COLOR: '1', NG_CLI_ANALYTICS: 'false' };
    execFile(name, args, { cwd, env, maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, said: `${out}${err}` });
    });
  });
}

/** A copy of an application that may be changed, with the packages of the original. */
export class AppCopy implements Disposable {
  readonly folder: string;

  constructor(app: string) {
    this.folder = mkdtempSync(join(tmpdir(), `app-${app}-`));
    for (const name of readdirSync(folderOf(app)))
      if (name !== 'node_modules' && name !== 'dist') cpSync(join(folderOf(app), name), join(this.folder, name), { recursive: true });
    symlinkSync(join(folderOf(app), 'node_modules'), join(this.folder, 'node_modules'));
  }

  /** Puts something else in the place of `what`, in the first source that has it. */
  change(what: RegExp | string, instead: string): void {
    const has = (text: string): boolean => (typeof what === 'string' ? text.includes(what) : what.test(text));
    const file = readdirSync(join(this.folder, 'src'))
      .map((name) => join(this.folder, 'src', name))
      .find((path) => has(readFileSync(path, 'utf8')));
    if (file === undefined) throw new Error(`No source has ${String(what)}`);
    writeFileSync(file, readFileSync(file, 'utf8').replace(what, instead));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};
/** What the page may do: no script or style of its own text. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'self'; form-action 'none'";

/** Where a page without a build takes the elements from. */
const CDN = 'https://cdn.jsdelivr.net/npm/@sitrep/elements/';

/** What a page of an application may be given. */
interface Serving {
  /** What stands for the CDN of the page; by default this server. */
  readonly cdn?: string;
  readonly policy?: string;
  /** Changes to the text of the page. */
  readonly change?: (html: string) => string;
}

/** Serves the applications at `/app/<name>/`: what was built of them, or what they are where nothing is built. */
export function serveApps({ gateway }: Demo, { cdn = '/cdn/', policy = POLICY, change = (html) => html }: Serving = {}): void {
  gateway.app.get('/favicon.ico', (context) => context.body(null, 204));
  gateway.app.get('/cdn/:file{.*}', (context) => {
    const { file } = context.req.param();
    const path = join(root, 'packages/elements', file);
    if (file.includes('..') || !existsSync(path)) return context.notFound();
    return context.body(readFileSync(path), 200, { 'content-type': TYPES[extname(path)]!, 'access-control-allow-origin': '*' });
  });
  gateway.app.get('/app/:name/:file{.*}', (context) => {
    const { name, file } = context.req.param();
    const built = join(folderOf(name), 'dist');
    const path = join(existsSync(built) ? built : folderOf(name), file || 'index.html');
    const type = TYPES[extname(path)];
    if (type === undefined || file.includes('..') || !existsSync(path)) return context.notFound();
    const text = readFileSync(path, 'utf8');
    const body = type === 'text/html' ? change(text.replace(CDN, cdn)) : text;
    return context.body(body, 200, { 'content-type': type, 'content-security-policy': policy });
  });
}
