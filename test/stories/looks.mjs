/** Widths a story is tried at, pixels: a narrow side bar, a phone, a column, a whole page. */
const WIDTHS = [200, 320, 1200];

/** What a story shows wider than the page it is on. The page is left as wide as it was. */
export async function tooWide(page) {
  const before = page.viewportSize();
  const problems = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: before.height });
    const wide = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return undefined;
      const found = [];
      const look = (root) => {
        for (const node of root.querySelectorAll('*')) {
          if (node.shadowRoot) look(node.shadowRoot);
          const { right, left, width: own } = node.getBoundingClientRect();
          if (own > 0 && (right > clientWidth + 1 || left < -1)) found.push(`${node.localName}.${node.getAttribute('class') ?? ''}`);
        }
      };
      look(document.body);
      return `${scrollWidth} px, by ${found.slice(-3).join(' ')}`;
    });
    if (wide) problems.push(`too wide at ${width} px: ${wide}`);
  }
  await page.setViewportSize(before);
  return problems;
}

/** What moves without end although the reader asked for less motion. */
export async function endlessMotion(page) {
  const moving = await page.evaluate(() => {
    const found = [];
    const look = (root) => {
      for (const node of root.querySelectorAll('*')) {
        if (node.shadowRoot) look(node.shadowRoot);
        for (const animation of node.getAnimations())
          if (animation.effect?.getTiming().iterations === Infinity) found.push(`${node.localName}.${node.getAttribute('class') ?? ''}`);
      }
    };
    look(document.querySelector('#storybook-root') ?? document);
    return found;
  });
  return moving.map((node) => `moves under reduced motion: ${node}`);
}
