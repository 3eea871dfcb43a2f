import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';

/** One import, type-only ones and dynamic ones included, as it stands in the source. */
export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Path of the imported source file from the workspace root, or undefined for a package outside the workspace. */
  readonly to: string | undefined;
  readonly dynamic: boolean;
  readonly typeOnly: boolean;
  /** Local names it binds. */
  readonly names: readonly string[];
}

export const root = resolve(fileURLToPath(new URL('../../..', import.meta.url)));

/** All TypeScript files below a folder, as paths from the workspace root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** The source file behind `@sitrep/<package>` or `@sitrep/<package>/<entry>`, read from the package's export map. */
export function workspaceTarget(specifier: string): string | undefined {
  const match = /^@sitrep\/([a-z]+)(?:\/(.+))?$/.exec(specifier);
  if (!match) return undefined;
  const manifest = JSON.parse(readFileSync(join(root, 'packages', match[1]!, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
  };
  const entry = manifest.exports[match[2] ? `./${match[2]}` : '.'] as { default?: string } | undefined;
  if (!entry?.default) throw new Error(`${specifier} is not in the export map of ${match[1]}`);
  return join('packages', match[1]!, entry.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'));
}

/** Every import of one file. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const found: Import[] = [];
  const add = (specifier: string, dynamic: boolean, typeOnly: boolean, names: readonly string[] = []) => {
    const to = specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : workspaceTarget(specifier);
    found.push({ from: file, specifier, to, dynamic, typeOnly, names });
  };
  for (const item of module.staticImports) {
    const typeOnly = item.entries.length > 0 && item.entries.every((entry) => entry.isType);
    add(
      item.moduleRequest.value,
      false,
      typeOnly,
      item.entries.map((entry) => entry.localName.value),
    );
  }
  for (const item of module.staticExports) {
    for (const request of new Set(item.entries.map((entry) => entry.moduleRequest?.value).filter((value) => value !== undefined))) {
      add(
        request,
        false,
        item.entries.every((entry) => entry.isType),
      );
    }
  }
  for (const item of module.dynamicImports) {
    const specifier = text.slice(item.moduleRequest.start, item.moduleRequest.end);
    if (/^['"].*['"]$/.test(specifier)) add(specifier.slice(1, -1), true, false);
  }
  return found;
}
