import { readFileSync } from 'node:fs';

/** Every token, with what it means: the one list that manifest, guide and theme builder share. */
const tokens = JSON.parse(readFileSync(new URL('../tokens.json', import.meta.url), 'utf8'));

const textOf = (styles) =>
  [styles ?? []]
    .flat(Infinity)
    .map(({ cssText }) => cssText)
    .join('');

/** The tokens that the styles of a class read, itself or in the operations it lists. */
function used(one, classes) {
  const text = textOf(one.styles);
  const inner = one !== classes.ToolProgress && text.includes('tool-progress') ? textOf(classes.ToolProgress.styles) : '';
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
            one.cssProperties = used(classes[one.name], classes).map(({ name, description, default: value }) => ({
              name,
              description,
              default: value,
            }));
    },
  };
}
