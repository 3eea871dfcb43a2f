// Opens every story of the static Storybook in Chromium: fails on page errors, failed interactions, axe violations and pictures
// that look different. usage: node test/stories/main.mjs [--keep] [part of an id]
// With --keep, what the stories with the tag "picture" look like now becomes what they are meant to look like.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../../scripts/browsers.mjs';
import { endlessMotion, tooWide } from './looks.mjs';
import { comparePicture, moment, sameFont } from './pictures.mjs';
import { serve } from './serve.mjs';

const root = new URL('../../storybook-static/', import.meta.url).pathname;
const pictures = new URL('../../stories/pictures/', import.meta.url).pathname;
const out = process.env.SHOTS ?? 'test-results/shots';
const keep = process.argv.includes('--keep');
const part = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Pages open at once: each story is alone in its own. */
const AT_ONCE = 2;
/** What may be waited for at most, milliseconds: far more than any story takes. */
const PATIENCE = 60_000;

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
mkdirSync(out, { recursive: true });
let passed = 0;
let failed = 0;
const outside = new Set();

for (const look of looks) {
  const wanted = stories.filter(({ tags, type }) =>
    type === 'docs' ? !keep && look.docs : keep ? tags.includes('picture') : !look.only || tags.includes(look.only),
  );
  console.log(`${look.name}: ${wanted.length} stories`);
  const context = await browser.newContext({
    viewport: { width: 640, height: 480 },
    reducedMotion: 'reduce',
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    ...look.options,
  });
  const waiting = [...wanted];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let story = waiting.shift(); story; story = waiting.shift()) {
        const problems = await lookAt(context, story, look).catch((error) => [`it could not be looked at: ${error.message}`]);
        if (problems.length) {
          failed++;
          console.error(`FAIL ${story.id} ${look.name}\n  ${problems.join('\n  ')}`);
        } else passed++;
        if ((passed + failed) % 50 === 0) console.log(`  ${passed + failed} looked at`);
      }
    }),
  );
  await context.close();
}
await browser.close();
close();
if (outside.size) {
  failed++;
  console.error('requests that left the machine:', [...outside]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;

/** The beginning of a message: some tell the whole page. */
function short(text) {
  return text.slice(0, 300);
}

/** What is wrong with a story as it looks this way. */
async function lookAt(context, story, look) {
  const problems = [];
  const page = await context.newPage();
  try {
    page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${short(message.text())}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`http ${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) outside.add(request.url());
    });
    if (story.type === 'docs') {
      await page.goto(`${base}/iframe.html?id=${story.id}&viewMode=docs`);
      await page.waitForSelector('body.sb-show-main #storybook-docs h1', { timeout: PATIENCE });
      return problems;
    }
    const hasPicture = story.tags.includes('picture');
    if (hasPicture) {
      await page.clock.setFixedTime(moment);
      await page.addInitScript(keepLook, [sameFont, look.direction]);
    }
    await page.goto(`${base}/iframe.html?id=${story.id}&viewMode=story&globals=a11y.manual:!true`);
    await page.waitForSelector('body.sb-show-main #storybook-root > *', { state: 'attached', timeout: PATIENCE });
    problems.push(...(await page.evaluate(interactions, [story.id, PATIENCE])));
    await page.evaluate(() => document.fonts.ready);
    await page.addScriptTag({ content: axe });
    const { violations } = await page.evaluate(() =>
      globalThis.axe.run('#storybook-root', {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
        rules: { region: { enabled: false } },
      }),
    );
    for (const { id, impact, help, nodes } of violations) problems.push(`axe ${id} (${impact}): ${help} [${nodes.length}]`);
    const taken = await page.screenshot({ animations: 'disabled', caret: 'hide' });
    writeFileSync(`${out}/${story.id}.${look.name}.png`, taken);
    if (hasPicture) {
      const name = `${story.id}.${look.name}.png`;
      const problem = comparePicture(taken, join(pictures, name), join(out, 'different', name), keep);
      if (problem) problems.push(problem);
    }
    problems.push(...(await endlessMotion(page)));
    // Both schemes have the same boxes.
    if (look.name === 'light') problems.push(...(await tooWide(page)));
    return problems;
  } finally {
    await page.close();
  }
}

/** Runs in the page: the same typeface everywhere, and the direction that is to be looked at. */
function keepLook([css, direction]) {
  const begin = () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
    if (direction) document.documentElement.dir = direction;
  };
  if (document.documentElement) begin();
  else document.addEventListener('readystatechange', begin, { once: true });
}

/** Runs in the page: waits until the story has been played, and answers what went wrong. */
async function interactions([id, patience]) {
  const end = performance.now() + patience;
  const channel = () => globalThis['__STORYBOOK_ADDONS_CHANNEL__'];
  const finished = () => channel()?.last('storyFinished')?.[0];
  while (finished()?.storyId !== id && performance.now() < end) await new Promise((wait) => setTimeout(wait, 20));
  if (finished()?.storyId !== id) return ['the story was not played to its end'];
  const thrown = channel().last('playFunctionThrewException')?.[0];
  const errors = channel().last('unhandledErrorsWhilePlaying')?.[0] ?? [];
  return [...(thrown ? [thrown] : []), ...errors].map(({ message }) => `interaction: ${message.slice(0, 300)}`);
}
