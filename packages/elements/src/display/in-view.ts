/** Told whether an element is in view, or about to come into it. */
type Told = (seen: boolean) => void;

/** How far outside of the view something counts as about to come into it. */
const NEAR = '200px';

const told = new WeakMap<Element, Told>();
let observer: IntersectionObserver | undefined;

/** Tells whether an element is in view or near, now and whenever that changes, until the returned function is called. */
export function watchView(element: Element, tell: Told): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    tell(true);
    return () => {};
  }
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
    },
    { rootMargin: NEAR },
  );
  told.set(element, tell);
  observer.observe(element);
  return () => {
    told.delete(element);
    observer?.unobserve(element);
  };
}
