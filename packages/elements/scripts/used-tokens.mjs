import { globSync, readFileSync } from 'node:fs';

/** Every token, with what it means: the one list that manifest, guide and theme builder share. */
const tokens = JSON.parse(readFileSync(new URL('../tokens.json', import.meta.url), 'utf8'));

const textOf = (styles) =>
  [styles ?? []]
    .flat(Infinity)
    .map((sheet) => sheet?.cssText ?? '')
    .join('');

const dist = new URL('../dist/', import.meta.url);

/** Every sheet that an element has or is given later: those in its folder, and that of the lists it draws. */
const sheets = new Map();
for (const file of globSync('*/*.styles.js', { cwd: dist })) {
  const folder = file.split(/[\\/]/)[0];
  sheets.set(folder, [...(sheets.get(folder) ?? []), ...Object.values(await import(new URL(file, dist)))]);
}
const { lists } = await import(new URL('display/lists.styles.js', dist));

const allOf = (one, tag) => textOf([one.styles, sheets.get(tag), ['progress-card', 'tool-progress'].includes(tag) ? lists : []]);

/** The tokens that the styles of a class read, itself or in the operations it lists. */
function used(one, tag, classes) {
  const text = allOf(one, tag);
  const inner = one !== classes.ToolProgress && text.includes('tool-progress') ? allOf(classes.ToolProgress, 'tool-progress') : '';
  const names = new Set((text + inner).match(/--sitrep-[\w-]+/g));
  const unknown = [...names].filter((name) => !tokens.some((token) => token.name === name));
  if (unknown.length) throw new Error(`${one.name} reads ${unknown.join(', ')}: not listed in tokens.json`);
  return tokens.filter(({ name }) => names.has(name));
}

/** Writes the tokens of each element into the manifest, as its own styles have them: no list to keep by hand. */
export function usedTokens(classes) {
  return {
    name: 'used-tokens',
    packageLinkPhase({ customElementsManifest: manifest }) {
      for (const module of manifest.modules)
        for (const one of module.declarations ?? [])
          if (one.tagName && classes[one.name])
            one.cssProperties = used(classes[one.name], one.tagName, classes).map(({ name, description, default: value }) => ({
              name,
              description,
              default: value,
            }));
    },
  };
}
