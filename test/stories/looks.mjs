/** Widths a story is tried at, pixels: a narrow side bar, a phone, a column, a whole page. */
const WIDTHS = [200, 320, 1200];

/** What is wider than the place it was given, at any of these widths. The page is left as wide as it was. */
export async function tooWide(page) {
  const before = page.viewportSize();
  const problems = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: before.height });
    const wide = await page.evaluate(async () => {
      // What follows its own size does so with the next frame.
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
      const edge = document.documentElement.clientWidth;
      const found = [];
      for (const host of document.querySelectorAll('#storybook-root *')) {
        if (!host.shadowRoot) continue;
        // What a story gives a width of its own may well be wider than the page.
        const beyond = (node) => node.getBoundingClientRect().right > edge + 1;
        const inline = getComputedStyle(host).display.startsWith('inline');
        if (host.scrollWidth > host.clientWidth + 1 && !inline && host.clientWidth) found.push(`inside ${host.localName}`);
        else if (beyond(host) && host.parentElement && !beyond(host.parentElement)) found.push(host.localName);
      }
      return found.join(' ');
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
