import createDOMPurify from 'dompurify';
import type { Config } from 'dompurify';
import { ALLOWED } from './allowed.ts';
import { notePolicy } from './note-policy.ts';

const purifier = createDOMPurify(window);

/** The wall for browsers without one of their own. Throws where it cannot work: nothing passes unchecked. */
export function purify(html: string, box: HTMLElement): void {
  if (!purifier.isSupported) throw new Error('No sanitiser works in this engine.');
  // No prototype: nothing that somebody put on `Object.prototype` can widen it.
  const config: Config = Object.assign(Object.create(null) as Config, {
    ALLOWED_TAGS: [...ALLOWED.keys()],
    ALLOWED_ATTR: [...new Set([...ALLOWED.values()].flat())],
    ADD_URI_SAFE_ATTR: ['value', 'max', 'start', 'align', 'title', 'alt'],
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
