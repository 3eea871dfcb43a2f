// Opens every story of the static Storybook in Chromium: fails on page errors, failed interactions, axe violations and pictures
// that look different. usage: node test/stories/main.mjs [--keep] [part of an id]
// With --keep, what the stories with the tag "picture" look like now, and what assistive technology finds in them, becomes what is meant.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../../scripts/browsers.mjs';
import { changedBeside } from './edited.mjs';
import { stopsOf, walkThrough } from './keys.mjs';
import { endlessMotion, tooWide } from './looks.mjs';
import { comparePicture } from './pictures.mjs';
import { serve } from './serve.mjs';
import { Stage } from './stage.mjs';
import { compareTree, treeOf, written } from './tree.mjs';

const root = new URL('../../storybook-static/', import.meta.url).pathname;
const pictures = new URL('../../stories/pictures/', import.meta.url).pathname;
/** Where every story is left as a picture; without it only those that look different are. */
const shots = process.env.SHOTS;
const out = shots ?? 'test-results/shots';
/** What assistive technology finds in each story with a picture; the page about accessibility shows it. */
const treesFile = new URL('../../stories/accessibility/trees.json', import.meta.url).pathname;
const trees = JSON.parse(readFileSync(treesFile, 'utf8'));
/** Where Tab stops in each element, kept likewise. */
const stopsFile = new URL('../../stories/accessibility/stops.json', import.meta.url).pathname;
const stops = JSON.parse(readFileSync(stopsFile, 'utf8'));
const keep = process.argv.includes('--keep');
const part = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';

/** Pages open at once. */
const AT_ONCE = 3;
/** The window of a story, and of one with the tag "wide". */
const VIEWPORT = { width: 640, height: 480 };
const WIDE = { width: 1200, height: 720 };
/** How high a picture may be, pixels. */
const HIGHEST = 1600;

/** How every story is looked at, and how those are whose picture is kept. */
const looks = [
  { name: 'light', options: { colorScheme: 'light' }, docs: true },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced', only: 'picture', options: { colorScheme: 'dark', forcedColors: 'active' } },
  { name: 'rtl', only: 'picture', options: { colorScheme: 'light' }, direction: 'rtl' },
  { name: 'narrow', only: 'picture', options: { colorScheme: 'light', viewport: { width: 272, height: 480 } } },
];

const { base, close } = await serve(root);
const { entries } = JSON.parse(readFileSync(join(root, 'index.json'), 'utf8'));
const stories = Object.values(entries).filter(({ type, id }) => (type === 'story' || type === 'docs') && id.includes(part));
const browser = await chromium.launch({
  executablePath: findBrowsers().chromium,
  args: [...chromiumArgs, '--font-render-hinting=none', '--force-color-profile=srgb', '--hide-scrollbars'],
});
for (const folder of [out, pictures]) mkdirSync(folder, { recursive: true });
const begun = performance.now();
const compared = new Set();
let passed = 0;
let failed = 0;
const outside = new Set();

for (const look of looks) {
  const wanted = stories.filter(({ tags, type }) =>
    type === 'docs'
      ? !keep && look.docs
      : (keep ? tags.includes('picture') || (look.docs && tags.includes('keys')) : !look.only || tags.includes(look.only)) &&
        (look.docs || !tags.includes('once') || (!keep && !look.only)),
  );
  const from = performance.now();
  const waiting = [...wanted];
  await Promise.all(Array.from({ length: AT_ONCE }, () => goThrough(waiting, look)));
  console.log(`${look.name}: ${wanted.length} stories, ${seconds(from)}`);
}
await browser.close();
close();
if (outside.size) {
  failed++;
  console.error('requests that left the machine:', [...outside]);
}
if (!part) forgotten();
if (keep) {
  writeFileSync(treesFile, written(trees));
  writeFileSync(stopsFile, written(stops));
}
console.log(`${compared.size} pictures ${keep ? 'kept' : 'compared'}, ${seconds(begun)}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

function seconds(from) {
  return `${Math.round((performance.now() - from) / 1000)} s`;
}

/**
 * Looks at the stories that wait, in one page; where something was wrong with one, the next one gets a page that it has not seen. The page
 * has a window of its own: behind another one it would not be drawn.
 */
async function goThrough(waiting, look) {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    ...look.options,
  });
  const globals = { a11y: { manual: true }, direction: look.direction ?? 'ltr' };
  const fresh = async () => new Stage(await context.newPage(), base, globals, (url) => outside.add(url));
  let stage;
  for (let story = waiting.shift(); story; story = waiting.shift()) {
    stage ??= await fresh();
    const problems = await lookAt(stage, story, look).catch((error) => [`it could not be looked at: ${error.message}`]);
    if (problems.length) {
      failed++;
      console.error(`FAIL ${story.id} ${look.name}\n  ${problems.join('\n  ')}`);
    } else passed++;
    if (problems.length || story.type === 'docs') {
      await stage.page.close();
      stage = undefined;
    }
  }
  await context.close();
}

/** What is wrong with a story as it looks this way. */
async function lookAt(stage, story, look) {
  const { page } = stage;
  if (story.type === 'docs') {
    await stage.open(story.id);
    return stage.problems;
  }
  const hasPicture = story.tags.includes('picture') && (look.docs || !story.tags.includes('once'));
  const viewport = look.options.viewport ?? (story.tags.includes('wide') ? WIDE : VIEWPORT);
  await page.setViewportSize(viewport);
  await stage.show(story.id, hasPicture);
  if (hasPicture || shots) {
    const taken = hasPicture ? await stage.still(() => picture(page, viewport)) : await picture(page, viewport);
    const name = `${story.id}.${look.name}.png`;
    if (shots) writeFileSync(join(out, name), taken);
    if (hasPicture) {
      compared.add(name);
      const problem = comparePicture(taken, join(pictures, name), join(out, 'different', name), keep);
      if (problem) {
        stage.problems.push(problem);
        writeFileSync(join(out, name), taken);
      }
    }
  }
  if (hasPicture && look.name === 'light') {
    const tree = await treeOf(page.context(), page);
    const problem = keep ? undefined : compareTree(tree, trees[story.id]);
    if (problem) stage.problems.push(problem);
    if (keep) trees[story.id] = tree;
  }
  if (story.tags.includes('keys') && look.name === 'light') {
    const found = await stopsOf(page.context(), page);
    const problem = keep ? undefined : compareTree(found, stops[story.id]);
    if (problem) stage.problems.push(`Tab: ${problem}`);
    if (keep) stops[story.id] = found;
    else stage.problems.push(...(await walkThrough(page)));
  }
  if (keep) return stage.problems;
  // Where the reader chose the colours, their contrast is what the reader chose.
  const violations = await page.evaluate(broken, look.options.forcedColors !== 'active');
  stage.problems.push(...violations, ...(await endlessMotion(page)));
  // Both schemes have the same boxes.
  if (look.name === 'light') stage.problems.push(...(await tooWide(page)));
  if (look.name === 'light' && story.tags.includes('edited')) stage.problems.push(...(await changedBeside(page, story.id)));
  return stage.problems;
}

/** Runs in the page: the rules of accessibility that the story breaks. */
async function broken(contrast) {
  const { violations } = await globalThis.axe.run('#storybook-root', {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { region: { enabled: false }, 'color-contrast': { enabled: contrast } },
    resultTypes: ['violations'],
  });
  return violations.map(({ id, impact, help, nodes }) => `axe ${id} (${impact}): ${help} [${nodes.length}]`);
}

/** The window, as high as what is in it now, which may be less than it was: what is not in sight may not have been drawn. */
async function picture(page, { width, height }) {
  const tall = () => page.evaluate(() => document.documentElement.scrollHeight);
  const now = page.viewportSize().height;
  if (now > height && (await tall()) <= now) await page.setViewportSize({ width, height });
  const whole = Math.min(HIGHEST, await tall());
  if (whole !== page.viewportSize().height) await page.setViewportSize({ width, height: Math.max(whole, height) });
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** Pictures of stories that are no more: with --keep they go, without it they are a fault. */
function forgotten() {
  const known = new Set(stories.filter(({ tags }) => tags.includes('picture')).map(({ id }) => id));
  for (const id of Object.keys(trees)) if (keep && !known.has(id)) delete trees[id];
  for (const id of Object.keys(stops)) if (keep && !stories.some((story) => story.id === id)) delete stops[id];
  const kept = readdirSync(pictures, { withFileTypes: true }).filter(({ name }) => name.endsWith('.png') && !compared.has(name));
  for (const { name } of kept) {
    if (keep) rmSync(join(pictures, name));
    else {
      failed++;
      console.error(`FAIL ${name}: there is no story with the tag "picture" for it`);
    }
  }
}
