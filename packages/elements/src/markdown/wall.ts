import { ALLOWED, isAllowed } from './allowed.ts';

type Wall = (html: string, box: HTMLElement) => void;
type SetHTML = (this: Element, html: string, options: { sanitizer: unknown }) => void;

const HTML = 'http://www.w3.org/1999/xhtml';

let wall: Wall | undefined;

/**
 * Chooses what cleans the HTML of notes: the browser's own `setHTML` where it has one and holds to what it is told, else
 * DOMPurify, which is loaded only then. Rejected when neither can be had.
 */
export async function raise(): Promise<void> {
  wall ??= native() ?? (await import('./purify.ts')).purify;
}

/**
 * Parses HTML into an element of its own, with nothing in it but what a note may hold, and then hands the elements that
 * `finishers` name to them. Throws rather than let anything else pass: a second look, with eyes of its own, goes over what
 * the wall left.
 */
export function clean(html: string, finishers: ReadonlyMap<string, (element: HTMLElement) => void> = new Map()): HTMLElement {
  if (!wall) throw new Error('No wall stands.');
  const box = document.createElement('div');
  wall(html, box);
  const elements = box.querySelectorAll<HTMLElement>('*');
  const unfinished: [(element: HTMLElement) => void, HTMLElement][] = [];
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index]!;
    if (element.namespaceURI !== HTML || !isAllowed(element)) throw new Error('Something passed that is not allowed.');
    const finish = finishers.get(element.localName);
    if (finish) unfinished.push([finish, element]);
  }
  for (const [finish, element] of unfinished) finish(element);
  return box;
}

/**
 * The browser's own wall, if it keeps out what is not on the list and lets pass what is. Nothing in the sample would make a
 * strict page report a violation.
 */
function native(): Wall | undefined {
  const setHTML = (Element.prototype as { setHTML?: SetHTML }).setHTML;
  if (typeof setHTML !== 'function') return undefined;
  try {
    const bare = <T extends object>(value: T): T => Object.assign(Object.create(null) as T, value);
    const namespace = HTML;
    const elements = [...ALLOWED].map(([name, attributes]) =>
      bare({ name, namespace, attributes: [...attributes.keys()].map((attribute) => bare({ name: attribute, namespace: null })) }),
    );
    const config = bare({ elements, attributes: [], comments: false, dataAttributes: false });
    const options = bare({ sanitizer: new (window as unknown as { Sanitizer: new (config: object) => object }).Sanitizer(config) });
    const own: Wall = (html, box) => setHTML.call(box, html, options);
    const box = document.createElement('div');
    own(
      '<p id="a" class="b" data-c="c">d<progress value="1" max="2" aria-label="e" title="f"></progress></p><a href="javascript:f">g</a><svg><a>h</a></svg><!--i--><form>j</form>',
      box,
    );
    const kept = box.querySelector('progress');
    const sound =
      kept?.getAttribute('value') === '1' &&
      kept.ariaLabel === 'e' &&
      !kept.title &&
      box.querySelector('p')?.attributes.length === 0 &&
      box.querySelector('svg, form, [href]') === null;
    return sound ? own : undefined;
  } catch {
    return undefined;
  }
}
