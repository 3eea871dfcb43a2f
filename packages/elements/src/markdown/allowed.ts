import { REFERRER, REL, TARGET } from './tags.ts';

const SCROLLS = 'tabindex=0,role=group,aria-label=*';

/**
 * Every element a note may hold, with the attributes it may have, and those it must have. Nothing else passes, whoever wrote it.
 * Behind an attribute stands what it may be: nothing for what the author wrote, `*` for the same where it must not be missing; else
 * the one value that it must have, or, behind a `?`, the one that it may have.
 */
export const ALLOWED: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  (
    'p|br|hr|em|strong|del|code|ul|blockquote|table|thead|tbody|tr|h1|h2|h3|h4|h5|h6|ol,start=|th,align=|td,align=|li,class=?task' +
    `|span,role=img,aria-label=*|pre,${SCROLLS}|div,class=scroll,${SCROLLS}|progress,value=,max=,aria-label=*|img,src=,alt=,title=` +
    `|a,href=,title=,target=${TARGET},rel=${REL},referrerpolicy=${REFERRER}`
  )
    .split('|')
    .map((one) => {
      const [tag, ...attributes] = one.split(',');
      return [tag!, new Map(attributes.map((attribute) => attribute.split('=') as [string, string]))];
    }),
);

/** Whether an attribute may have this value. */
export const holds = (rule: string | undefined, value: string | null): boolean =>
  rule === '' || rule === '*' || (rule !== undefined && rule.replace('?', '') === value);

/** Whether an element is one of these, with nothing on it but what it may have and with all that it must have. */
export function isAllowed(element: Element): boolean {
  const rules = ALLOWED.get(element.localName);
  if (!rules) return false;
  for (const name of element.hasAttributes() ? element.getAttributeNames() : [])
    if (!holds(rules.get(name), element.getAttribute(name))) return false;
  for (const [name, rule] of rules) if (rule && rule[0] !== '?' && !element.hasAttribute(name)) return false;
  return true;
}
