const calls = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | undefined;

/** Calls once the element is about to be seen. */
export function whenSeen(element: Element, call: () => void): void {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer?.unobserve(target);
        calls.get(target)?.();
      }
    },
    { rootMargin: '200px' },
  );
  calls.set(element, call);
  observer.observe(element);
}
