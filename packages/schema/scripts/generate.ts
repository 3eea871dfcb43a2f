/**
 * Writes everything that follows from the wire: `json/*.json`, `src/generated/*.ts`. With `--check` nothing is written;
 * the exit code tells whether what is committed is what would be written.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { emitJson } from './emit-json.ts';
import { emitToolSchemas } from './emit-tool-schemas.ts';
import { emitValidators } from './emit-validators.ts';
import { ENTRIES } from './registry.ts';

const ROOT = new URL('../', import.meta.url);

/** Path below the package to text, for every generated file. */
export function generate(): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, text] of emitJson(ENTRIES)) files.set(`json/${name}.json`, text);
  for (const [name, text] of emitValidators(ENTRIES)) files.set(`src/generated/${name}.ts`, text);
  files.set('src/generated/tool-schemas.ts', emitToolSchemas(ENTRIES));
  return files;
}

/** Paths whose committed text is missing, different, or no longer generated. */
export function drift(files: ReadonlyMap<string, string>): string[] {
  const wrong = [...files].filter(([path, text]) => !existsSync(new URL(path, ROOT)) || readFileSync(new URL(path, ROOT), 'utf8') !== text);
  return [...wrong.map(([path]) => path), ...leftOver(files)];
}

function leftOver(files: ReadonlyMap<string, string>): string[] {
  const present = ['json/', 'src/generated/'].flatMap((folder) => {
    const url = new URL(folder, ROOT);
    return existsSync(url) ? readdirSync(url).map((name) => `${folder}${name}`) : [];
  });
  return present.filter((path) => !files.has(path));
}

function write(files: ReadonlyMap<string, string>): void {
  for (const path of leftOver(files)) rmSync(new URL(path, ROOT));
  for (const [path, text] of files) {
    mkdirSync(new URL('./', new URL(path, ROOT)), { recursive: true });
    writeFileSync(new URL(path, ROOT), text);
  }
}

if (import.meta.main) {
  const files = generate();
  const wrong = drift(files);
  if (process.argv.includes('--check')) {
    for (const path of wrong) console.error(`${path} is not what the wire gives: run node packages/schema/scripts/generate.ts`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } else {
    write(files);
    console.log(`${files.size} files generated, ${wrong.length} changed.`);
  }
}
