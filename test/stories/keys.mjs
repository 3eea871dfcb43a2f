// Presses the keys that the page about accessibility tells of, as a keyboard does, and looks what came of each.

/** What an effect may take, milliseconds: far more than any takes. */
const PATIENCE = 20_000;
/** More stops than any element has. */
const MOST_STOPS = 40;

/** Walks through the keys of the element that is shown; answers what did not come true. */
export async function walkThrough(page) {
  const problems = [];
  const outline = await page.evaluate(() => document.querySelector('key-walk').outline);
  for (const [row, { says, tries }] of outline.entries()) {
    for (let index = 0; index < tries; index++) {
      const key = await page.evaluate(([...of]) => document.querySelector('key-walk').begin(...of), [row, index]);
      await page.keyboard.press(key === ' ' ? 'Space' : key);
      const seen = await page
        .waitForFunction(([...of]) => document.querySelector('key-walk').sees(...of), [row, index], { timeout: PATIENCE })
        .catch(() => undefined);
      if (seen) continue;
      problems.push(`key ${key} does not do what is said of it (${index + 1} of ${tries}): ${says}`);
      break;
    }
  }
  return problems;
}

/** Where Tab stops in the element, by role and name, in this order. */
export async function stopsOf(context, page) {
  const session = await context.newCDPSession(page);
  try {
    await page.evaluate(() => document.querySelector('key-walk').fresh());
    const stops = [];
    for (let count = 0; count < MOST_STOPS; count++) {
      await page.keyboard.press('Tab');
      const { result } = await session.send('Runtime.evaluate', { expression: `(${focused})()` });
      if (!result.objectId) break;
      const { nodes } = await session.send('Accessibility.getPartialAXTree', { objectId: result.objectId, fetchRelatives: false });
      const [{ role, name }] = nodes;
      const stop = `${role?.value} "${(name?.value ?? '').replace(/\s+/g, ' ').trim()}"`;
      if (stop === 'button "Behind it"') return stops;
      stops.push(stop);
    }
    throw new Error(`Tab never comes out of it: ${stops.join(', ')}`);
  } finally {
    await session.detach();
  }
}

/** Runs in the page: what has the focus, through all shadow roots. */
function focused() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}
