import { readFileSync } from 'node:fs';
import { customElementJetBrainsPlugin } from 'custom-element-jet-brains-integration';
import { customElementVsCodePlugin } from 'custom-element-vs-code-integration';
import { frameworkTypes } from './scripts/framework-types.mjs';
import { usedTokens } from './scripts/used-tokens.mjs';

/** What each token is where nobody sets it. */
const tokens = JSON.parse(readFileSync(new URL('tokens.json', import.meta.url), 'utf8'));
const defaults = new Map(tokens.map((token) => [token.name, token.default]));

/** The classes themselves. */
const built = await import('./dist/index.js');

/** Where a module of the sources ends up. */
const builtPath = (path) => path?.replace(/^\/?src\//, 'dist/').replace(/\.ts$/, '.js');

/** Members that only the elements themselves call. */
const isHidden = (member) => member.privacy === 'private' || member.privacy === 'protected' || member.name.startsWith('#') || member.static;

/** Leaves the elements' public members in the manifest, gathers what they inherit, and points every path at the built files. */
function publicOnly() {
  return {
    name: 'public-only',
    packageLinkPhase({ customElementsManifest: manifest }) {
      const classes = new Map();
      for (const module of manifest.modules)
        for (const one of module.declarations ?? []) if (one.kind === 'class') classes.set(one.name, one);
      const inherited = (one, key) => {
        const parent = classes.get(one.superclass?.name);
        const own = one[key] ?? [];
        const names = new Set(own.map((member) => member.name));
        return parent ? [...inherited(parent, key).filter((member) => !names.has(member.name)), ...own] : own;
      };
      const elements = [...classes.values()].filter((one) => one.customElement && one.tagName);
      for (const one of elements) {
        one.members = inherited(one, 'members').filter((member) => !isHidden(member) && !LIFECYCLE.has(member.name));
        const shown = new Set(one.members.map((member) => member.name));
        // The sources name an option for "no attribute", which the analyzer does not follow: the class itself knows.
        const observed = new Set(built[one.name].observedAttributes);
        one.attributes = inherited(one, 'attributes').filter(({ name, fieldName }) => observed.has(name) && shown.has(fieldName));
        for (const token of one.cssProperties ?? []) token.default ??= defaults.get(token.name);
        // What is dispatched without a word in the comment of the class is nothing to listen to.
        one.events &&= one.events.filter(({ name }) => name?.startsWith('progress-'));
        for (const member of one.members) if (!observed.has(member.attribute)) delete member.attribute;
      }
      manifest.modules = manifest.modules.filter((module) => module.declarations?.some((one) => elements.includes(one)));
      for (const module of manifest.modules) {
        module.path = builtPath(module.path);
        module.declarations = module.declarations?.filter((one) => one.kind !== 'class' || elements.includes(one));
        for (const one of module.exports ?? []) if (one.declaration?.module) one.declaration.module = builtPath(one.declaration.module);
      }
      manifest.modules.push(...manifest.modules.map(definition));
    },
  };
}

const LIFECYCLE = new Set([
  'connectedCallback',
  'disconnectedCallback',
  'requestUpdate',
  'heard',
  'followsAll',
  'edge',
  'link',
  'feed',
  'styles',
  'properties',
]);

/** The module that registers the element of a class module. */
function definition(module) {
  const one = module.declarations.find((declaration) => declaration.tagName);
  return {
    kind: 'javascript-module',
    path: `dist/define/${one.tagName}.js`,
    declarations: [],
    exports: [{ kind: 'custom-element-definition', name: one.tagName, declaration: { name: one.name, module: module.path } }],
  };
}

export default {
  globs: ['src/**/*.ts'],
  exclude: ['src/index.ts', 'src/**/*.styles.ts'],
  outdir: '.',
  litelement: true,
  packagejson: false,
  plugins: [
    publicOnly(),
    usedTokens(built),
    customElementVsCodePlugin({ outdir: 'editor', hideLogs: true }),
    customElementJetBrainsPlugin({ outdir: 'editor', hideLogs: true }),
    frameworkTypes(),
  ],
};
