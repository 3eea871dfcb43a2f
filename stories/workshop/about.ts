import manifest from '@sitrep/elements/custom-elements.json' with { type: 'json' };

interface Declaration {
  readonly tagName?: string;
  readonly description?: string;
}

interface About {
  readonly docs: {
    readonly description: { readonly component: string };
    readonly story?: { readonly inline: false; readonly height: string };
  };
}

/**
 * What the page of an element begins with: what it is, and how it is written. With a `height` each story there is a page of its own,
 * for what lies over the page or fills it.
 */
export function about(tag: string, usage: string, height?: string): About {
  const declarations: readonly Declaration[] = manifest.modules.flatMap(({ declarations: found = [] }) => found as readonly Declaration[]);
  const description = declarations.find(({ tagName }) => tagName === tag)?.description ?? '';
  return {
    docs: {
      description: { component: `${description}\n\n\`\`\`html\n${usage}\n\`\`\`` },
      ...(height !== undefined && { story: { inline: false, height } }),
    },
  };
}
