import { Directive, directive, PartType } from 'lit/directive.js';
import type { ElementPart, PartInfo } from 'lit/directive.js';
import { declarationOf } from './manifest.ts';

/** What an element is given by a story: scalars by attribute, everything else by property. */
export interface Handed {
  readonly attributes: ReadonlyMap<string, string | true>;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** How the arguments of a story reach the element. What the element does not know is not for it. */
export function handed(tag: string, args: Readonly<Record<string, unknown>>): Handed {
  const { attributes: known = [], members = [] } = declarationOf(tag);
  const attributes = new Map<string, string | true>();
  const properties = new Map<string, unknown>();
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const attribute = known.find((one) => one.name === name);
    if (!attribute) {
      if (members.some((one) => one.name === name && one.kind === 'field')) properties.set(name, value);
    } else if (typeof value === 'object') properties.set(attribute.fieldName ?? name, value);
    // An absent attribute would mean "as the element sees fit" there, which is not the same as no.
    else if (value === false && attribute.type?.text.includes('undefined')) attributes.set(name, 'false');
    else if (value !== false) attributes.set(name, value === true ? true : String(value as string | number));
  }
  return { attributes, properties };
}

/** Gives an element the arguments of a story, and takes back those it was given before and is not any more. */
class Given extends Directive {
  #before: Handed | undefined;

  constructor(part: PartInfo) {
    super(part);
    if (part.type !== PartType.ELEMENT) throw new Error('Arguments are given to an element.');
  }

  render(_args: Readonly<Record<string, unknown>>): void {}

  override update({ element }: ElementPart, [args]: [Readonly<Record<string, unknown>>]): void {
    const now = handed(element.localName, args);
    for (const name of this.#before?.attributes.keys() ?? []) if (!now.attributes.has(name)) element.removeAttribute(name);
    for (const name of this.#before?.properties.keys() ?? []) if (!now.properties.has(name)) Reflect.set(element, name, undefined);
    for (const [name, value] of now.attributes) element.setAttribute(name, value === true ? '' : value);
    for (const [name, value] of now.properties) Reflect.set(element, name, value);
    this.#before = now;
  }
}

export const given = directive(Given);
