import { basename } from 'node:path';
import { cargo } from './cargo.ts';
import { curl } from './curl.ts';
import { docker } from './docker.ts';
import { ffmpeg } from './ffmpeg.ts';
import { generic } from './generic.ts';
import { git } from './git.ts';
import { jest } from './jest.ts';
import { npm } from './npm.ts';
import { pnpm } from './pnpm.ts';
import { pytest } from './pytest.ts';
import { rsync } from './rsync.ts';
import { tsc } from './tsc.ts';
import type { Line, Recogniser, Said, Tool } from './types.ts';
import { vite } from './vite.ts';
import { wget } from './wget.ts';

const TOOLS: readonly Tool[] = [git, curl, wget, rsync, ffmpeg, cargo, pytest, tsc, npm, pnpm, docker, vite, jest];
/** Commands that run the one named after them. */
const WRAPPERS = new Set([
  'sudo',
  'doas',
  'env',
  'nice',
  'nohup',
  'time',
  'stdbuf',
  'timeout',
  'npx',
  'bunx',
  'pnpx',
  'command',
  'exec',
  'uv',
  'poetry',
]);
const WRAPPED_BY = new Set(['exec', 'dlx', 'run', '-m', 'x']);
const RUNNERS = new Set(['npm', 'pnpm', 'yarn', 'bun', 'python', 'python3', 'py', 'node', 'uv', 'poetry']);

/**
 * The recogniser of a command: every tool's, because a script may run any of them, and what is left for what nobody
 * claims. The tool that the command itself is comes first and may read its ambiguous lines.
 */
export function recogniserOf(command: readonly string[]): Recogniser {
  const [name, args] = toolIn(command);
  const own = TOOLS.find(({ names }) => names.includes(name));
  const all = [...(own ? [own.start(args)] : []), ...TOOLS.filter((tool) => tool !== own).map((tool) => tool.start(undefined))];
  all.push(generic.start(undefined));
  return {
    read(line: Line): Said | undefined {
      for (const each of all) {
        const said = each.read(line);
        if (said !== undefined) return said;
      }
      return undefined;
    },
    missed() {
      for (const each of all) each.missed?.();
    },
  };
}

/** The name of the tool that a command line runs, and its arguments: `npx -y tsc -w` runs tsc. */
export function toolIn(command: readonly string[]): readonly [string, readonly string[]] {
  let rest = command;
  for (let depth = 0; depth < 8; depth += 1) {
    const [first = '', ...args] = rest;
    const name = basename(first).replace(/\.(?:exe|cmd|bat|[cm]?js)$/i, '');
    const second = args[0] ?? '';
    const runs = WRAPPERS.has(name) ? 0 : RUNNERS.has(name) && WRAPPED_BY.has(second) ? 1 : name === 'node' ? 0 : -1;
    // `npm run build` runs whatever "build" is.
    if (runs < 0 || (second === 'run' && name !== 'uv' && name !== 'poetry')) return [name, args];
    const next = args
      .slice(runs)
      .findIndex((word) => !word.startsWith('-') && !/^\w+=/.test(word) && !/^[\d.]+[smhd]?$/.test(word) && word !== 'run');
    if (next < 0) return [name, args];
    rest = args.slice(runs + next);
  }
  return [basename(rest[0] ?? ''), rest.slice(1)];
}
