import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes what front-end frameworks need to know of the elements, from the manifest:
 *
 * - `editor/tags.d.ts`: properties, attributes and events of every tag. `types/*.d.ts` say them to each framework.
 * - `dist/react.js`, `dist/react/<tag>.js`: a React component for every tag.
 */
export function frameworkTypes() {
  return {
    name: 'framework-types',
    packageLinkPhase({ customElementsManifest: { modules } }) {
      const elements = modules
        .flatMap((module) => (module.declarations ?? []).map((one) => ({ ...one, path: module.path })))
        .filter((one) => one.tagName)
        .sort((a, b) => (a.tagName < b.tagName ? -1 : 1));
      write('editor/tags.d.ts', tags(elements));
      for (const one of elements) {
        write(`dist/react/${one.tagName}.js`, component(one));
        write(`dist/react/${one.tagName}.d.ts`, componentTypes(one));
      }
      const all = elements.map(({ name, tagName }) => ({ name, tagName }));
      write(
        'dist/react.js',
        `'use client';\n${all.map(({ name, tagName }) => `export { ${name} } from './react/${tagName}.js';`).join('\n')}\n`,
      );
      write(
        'dist/react.d.ts',
        `import '../types/react-style.js';\n${all
          .map(({ name, tagName }) => `export { ${name}, type ${name}Props } from './react/${tagName}.js';`)
          .join('\n')}\n`,
      );
    },
  };
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const capital = (name) => name[0].toUpperCase() + name.slice(1);
/** `onProgressToggle` for `progress-toggle`. */
const handlerOf = (event) => `on${event.split('-').map(capital).join('')}`;
const settable = (one) => one.members.filter((member) => member.kind === 'field' && !member.readonly);
const dashed = (one) => (one.attributes ?? []).filter(({ name, fieldName }) => fieldName && name !== fieldName);

const doc = (text, indent = '') =>
  text
    ? `${indent}/**\n${text
        .split('\n')
        .map((line) => `${indent} * ${line}`.trimEnd())
        .join('\n')}\n${indent} */\n`
    : '';
const line = (text, key, type) => `${doc(text, '  ')}  ${key}?: ${type} | undefined;\n`;
const listener = (event) => `((event: HTMLElementEventMap['${event}']) => void)`;
const block = (text, name, lines) => `${doc(text)}export interface ${name} {\n${lines.join('')}}\n`;

function tags(elements) {
  const imports = elements.map(({ name, path }) => `import type { ${name} } from '../${path}';`);
  const blocks = elements.flatMap((one) => {
    const { name, tagName, events = [] } = one;
    return [
      block(
        `Properties of \`<${tagName}>\`.`,
        `${name}Properties`,
        settable(one).map((member) => line(member.description, member.name, `${name}['${member.name}']`)),
      ),
      block(
        `Attributes of \`<${tagName}>\` that are named otherwise than their property.`,
        `${name}Attributes`,
        dashed(one).map((attribute) => line(attribute.description, `'${attribute.name}'`, `${name}['${attribute.fieldName}']`)),
      ),
      block(
        `Listeners of \`<${tagName}>\`, as properties of a component.`,
        `${name}Handlers`,
        events.map((event) => line(event.description, handlerOf(event.name), listener(event.name))),
      ),
      block(
        `Listeners of \`<${tagName}>\`, by the names of its events.`,
        `${name}Listeners`,
        events.map((event) => line(event.description, `'on${event.name}'`, listener(event.name))),
      ),
    ];
  });
  const map = elements.map(
    ({ name, tagName, description }) =>
      `${doc(description, '  ')}  '${tagName}': {\n    element: ${name};\n    properties: ${name}Properties;\n    attributes: ${name}Attributes;\n    handlers: ${name}Handlers;\n    listeners: ${name}Listeners;\n  };\n`,
  );
  return `${imports.join('\n')}\n\n${blocks.join('\n')}\n${block('Every tag, and what a framework needs to know of it.', 'Tags', map)}`;
}

function component({ name, tagName, path, events = [] }) {
  const map = events.map((event) => `    ${handlerOf(event.name)}: '${event.name}',\n`).join('');
  return `'use client';
import * as React from 'react';
import { createComponent } from '@lit/react';
import { ${name} as Element } from '../${path.replace(/^dist\//, '')}';
import '../define/${tagName}.js';
export const ${name} = /* @__PURE__ */ createComponent({
  react: React,
  tagName: '${tagName}',
  elementClass: Element,
  displayName: '${name}',
  events: {
${map}  },
});
`;
}

function componentTypes({ name, tagName, path, description }) {
  return `import type { ForwardRefExoticComponent, HTMLAttributes, RefAttributes } from 'react';
import type { ${name}Handlers, ${name}Properties } from '../../editor/tags.js';
import type { ${name} as Element } from '../${path.replace(/^dist\//, '')}';

/** What \`<${name}>\` takes: the properties of \`<${tagName}>\`, its events as \`on…\`, and what every element takes. */
export interface ${name}Props
  extends Omit<HTMLAttributes<Element>, keyof ${name}Properties>, ${name}Properties, ${name}Handlers {}

${doc(description)}export declare const ${name}: ForwardRefExoticComponent<${name}Props & RefAttributes<Element>>;
`;
}
