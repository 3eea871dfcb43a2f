import { warnOnce } from '../display/warn-once.ts';

/**
 * Loads the code of each tag when the first element of that name is seen in the page. `soon` is wanted in any case, once what
 * is there is drawn. A tag inside the shadow root of somebody else is not seen: there the page imports the code itself.
 */
export function loadSeen(tags: Record<string, () => Promise<unknown>>, soon: readonly string[]): void {
  const wanted = new Map(Object.entries(tags));
  let missing = wanted.size;
  const load = (tag: string): void => {
    const get = wanted.get(tag);
    if (!get) return;
    wanted.delete(tag);
    void loaded(tag, get);
  };
  const loaded = async (tag: string, get: () => Promise<unknown>): Promise<void> => {
    try {
      await get();
      // Nothing is left to look for.
      if (--missing === 0) observer.disconnect();
    } catch {
      wanted.set(tag, get);
      warnOnce(`<${tag}>: its code could not be loaded.`);
    }
  };
  const look = (root: ParentNode): void => {
    for (const tag of wanted.keys()) if (root.querySelector(tag)) load(tag);
  };
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Element) {
          load(node.localName);
          if (node.firstElementChild) look(node);
        }
  });
  observer.observe(document, { childList: true, subtree: true });
  look(document);
  // Not before the first frame is painted: what is in the page already goes first.
  requestAnimationFrame(() => setTimeout(() => soon.forEach(load)));
}
