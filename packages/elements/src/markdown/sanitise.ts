import createDOMPurify from 'dompurify';
import type { Config, DOMPurify } from 'dompurify';

const TAGS = 'a p br hr em strong del code pre ul ol li blockquote table thead tbody tr th td h1 h2 h3 h4 h5 h6 progress'.split(' ');
const ATTRIBUTES = ['href', 'title', 'start', 'align', 'value', 'max'];

/** Everything a note may hold. No prototype: nothing that somebody put on `Object.prototype` can widen it. */
const CONFIG: Config = Object.assign(Object.create(null) as Config, {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ADD_URI_SAFE_ATTR: ['value', 'max', 'start', 'align', 'title'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  KEEP_CONTENT: true,
  RETURN_DOM_FRAGMENT: true,
});

let purifier: DOMPurify | undefined;

/** The HTML as a fragment in which only what is allowed is left. Throws where no sanitiser can work: nothing passes unchecked. */
export function sanitise(html: string): DocumentFragment {
  purifier ??= createDOMPurify(window);
  if (!purifier.isSupported) throw new Error('No sanitiser works in this engine.');
  return purifier.sanitize(html, CONFIG) as unknown as DocumentFragment;
}
