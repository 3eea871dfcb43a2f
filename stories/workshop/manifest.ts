import manifest from '@sitrep/elements/custom-elements.json' with { type: 'json' };

/** One thing that the manifest says of an element: an attribute, a property, an event, a slot, a part, a state, a token. */
export interface Member {
  readonly name: string;
  readonly description?: string;
  readonly kind?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
  readonly readonly?: boolean;
  /** The attribute that a property has. */
  readonly attribute?: string;
  /** The property that an attribute has. */
  readonly fieldName?: string;
  readonly parameters?: readonly { readonly name: string; readonly type?: { readonly text: string } }[];
  readonly return?: { readonly type?: { readonly text: string } };
}

export interface Declaration {
  readonly tagName: string;
  readonly summary?: string;
  readonly description?: string;
  readonly attributes?: readonly Member[];
  readonly members?: readonly Member[];
  readonly events?: readonly Member[];
  readonly slots?: readonly Member[];
  readonly cssParts?: readonly Member[];
  readonly cssStates?: readonly Member[];
  readonly cssProperties?: readonly Member[];
}

const declarations = manifest.modules.flatMap(({ declarations: found = [] }) => found as readonly Partial<Declaration>[]);

/** What the manifest says of an element. */
export function declarationOf(tag: string): Declaration {
  const found = declarations.find(({ tagName }) => tagName === tag);
  if (!found) throw new Error(`The manifest has no <${tag}>.`);
  return found as Declaration;
}
