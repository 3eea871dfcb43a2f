import createDOMPurify from 'dompurify';
import type { Config } from 'dompurify';
import { ALLOWED, holds } from './allowed.ts';
import { notePolicy } from './note-policy.ts';

const ATTRIBUTES = [...new Set([...ALLOWED.values()].flatMap((rules) => [...rules.keys()]))];
/** Whose values DOMPurify is not to take for addresses. */
const NO_ADDRESSES = ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src');

const purifier = createDOMPurify(window);
// Its lists are of names alone; which element may have which attribute, and with which value, is told it here.
purifier.addHook('uponSanitizeAttribute', (element, attribute) => {
  if (!holds(ALLOWED.get(element.localName)?.get(attribute.attrName), attribute.attrValue)) attribute.keepAttr = false;
});

/** The wall for browsers without one of their own. Throws where it cannot work: nothing passes unchecked. */
export function purify(html: string, box: HTMLElement): void {
  if (!purifier.isSupported) throw new Error('No sanitiser works in this engine.');
  // No prototype: nothing that somebody put on `Object.prototype` can widen it.
  const config: Config = Object.assign(Object.create(null) as Config, {
    ALLOWED_TAGS: [...ALLOWED.keys()],
    ALLOWED_ATTR: ATTRIBUTES,
    ADD_URI_SAFE_ATTR: NO_ADDRESSES,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    KEEP_CONTENT: true,
    RETURN_DOM_FRAGMENT: true,
  });
  const policy = notePolicy();
  if (policy)
    config.TRUSTED_TYPES_POLICY = {
      createScriptURL: (address: string) => address,
      createHTML: (text: string) => policy.createHTML(text),
    } as never;
  box.replaceChildren(purifier.sanitize(html, config) as unknown as DocumentFragment);
}
