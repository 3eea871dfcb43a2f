import { make } from '../display/make.ts';

const BODY = 'body';

/**
 * The place of the details under `base`: made when they are first opened, and from then on hidden while they are closed. The button that
 * opens them says which they are as soon as they are there.
 */
export function drawBody(base: Element, open: boolean): HTMLElement | undefined {
  const last = base.lastElementChild as HTMLElement;
  let body = last.id === BODY ? last : undefined;
  if (!body && open) {
    body = make('div', BODY);
    body.id = BODY;
    body.append(document.createElement('slot'));
    base.append(body);
    base.querySelector('.toggle')!.setAttribute('aria-controls', BODY);
  }
  if (body) body.hidden = !open;
  return body;
}
