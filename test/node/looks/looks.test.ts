import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { chromiumArgs, findBrowsers } from '../../../scripts/browsers.mjs';
import { contrast, picture } from './screen.ts';
import { STATES } from './states.ts';

describe('looks', () => {
  let browser: Browser;
  let script: string;

  before(async () => {
    const executablePath = findBrowsers().chromium;
    if (!executablePath) throw new Error('No Chromium found: run "npm run setup", or name one with CHROMIUM=/path.');
    browser = await chromium.launch({ executablePath, args: [...chromiumArgs, '--force-color-profile=srgb'] });
    const entryPoints = [fileURLToPath(new URL('./page.ts', import.meta.url))];
    const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm', target: 'es2022', logLevel: 'error' });
    script = outputFiles[0]!.text;
  });
  after(() => browser.close());

  async function open(media: Parameters<Page['emulateMedia']>[0], direction = 'ltr'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 640, height: 1200 } });
    page.setDefaultTimeout(100_000);
    await page.emulateMedia({ reducedMotion: 'reduce', ...media });
    await page.setContent(`<!doctype html><html lang="en" dir="${direction}" style="color-scheme:light dark"><title>Looks</title><body>`);
    await page.addScriptTag({ content: script, type: 'module' });
    await page.locator('progress-card [part~=note] a').waitFor();
    return page;
  }

  /** Fills, tracks and their lines, the drawings and the focus, as pixels: nothing of it hangs on a colour that may be taken away. */
  async function expectSeen(page: Page): Promise<void> {
    const bar = await picture(page.locator('#known [part~=bar]'));
    const [fill, track] = [bar.at(bar.width * 0.25, bar.height / 2), bar.at(bar.width * 0.75, bar.height / 2)];
    assert.ok(contrast(fill, track) >= 3, `fill ${fill.join()} on track ${track.join()}`);
    const row = await picture(page.locator('#known [part~=base]'));
    const [surface, box] = [row.at(row.width / 2, 6), await page.locator('#known [part~=bar]').boundingBox()];
    const base = (await page.locator('#known [part~=base]').boundingBox())!;
    assert.ok(contrast(fill, surface) >= 3, 'fill on surface');
    const middle = Math.round(box!.x - base.x + box!.width * 0.75);
    const lines = [-1, 0].map((y) => contrast(row.at(middle, box!.y - base.y + y), surface));
    assert.ok(Math.max(...lines) >= 3, `the end of an unfilled bar is seen: ${lines.join()}`);

    const dots = await picture(page.locator('#unknown [part~=bar]'));
    assert.ok(dots.clearOf(dots.at(dots.width / 2, 0)) > 0 || dots.clearOf(surface) > dots.width / 4, 'the dots of an unknown amount');

    const steps = page.locator('progress-card [part~=meter] > *');
    const [done, todo] = [await picture(steps.nth(0)), await picture(steps.nth(2))];
    assert.ok(contrast(done.at(done.width / 2, 2), todo.at(todo.width / 2, 2)) >= 3, 'a step that is done beside one that is not');

    const drawings = new Map<string, string>();
    for (const state of STATES) {
      const drawing = await picture(page.locator(`#pill-${state} svg`));
      const ground = drawing.at(0, 0);
      assert.ok(drawing.clearOf(ground) >= 4, `the drawing of ${state}`);
      let shape = '';
      for (let y = 0; y < drawing.height; y++)
        for (let x = 0; x < drawing.width; x++) shape += contrast(drawing.at(x, y), ground) >= 2 ? '#' : '.';
      const twin = drawings.get(shape);
      assert.equal(twin, undefined, `${state} is drawn like ${twin}`);
      drawings.set(shape, state);
    }

    const toggle = page.locator('#known [part~=toggle]');
    const unfocused = await picture(toggle);
    await page.keyboard.press('Tab');
    const focused = await picture(toggle);
    const rest = unfocused.at(unfocused.width / 2, 3);
    const ring = [0, 1].map((y) => contrast(focused.at(focused.width / 2, y), rest));
    assert.ok(Math.min(...ring) >= 3, `the focus ring: ${ring.join()}`);
    assert.notDeepEqual(focused.bytes, unfocused.bytes);
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`are seen in forced colours, ${colorScheme}`, async () => {
      const page = await open({ forcedColors: 'active', colorScheme });
      await expectSeen(page);
      await page.close();
    });

    it(`are seen where more contrast is asked for, ${colorScheme}, with lines in place of tints`, async () => {
      const page = await open({ contrast: 'more', colorScheme });
      await expectSeen(page);
      const pill = page.locator('#known [part~=pill]');
      const { border, tone, background, surface } = await pill.evaluate((node) => ({
        border: getComputedStyle(node).borderTopColor,
        tone: getComputedStyle(node).color,
        background: getComputedStyle(node).backgroundColor,
        surface: getComputedStyle(node.closest('[part~=base]')!).backgroundColor,
      }));
      assert.equal(border, tone);
      const plain = (colour: string): string => colour.replace('color(srgb 1 1 1)', 'rgb(255, 255, 255)');
      if (colorScheme === 'light') assert.equal(plain(background), surface);
      const colours = await page
        .locator('#known')
        .evaluate((node) => ['message', 'title'].map((name) => getComputedStyle(node.shadowRoot!.querySelector(`[part~=${name}]`)!).color));
      assert.equal(colours[0], colours[1], 'secondary text is as strong as any');
      await page.close();
    });

    it(`are black on white on paper, ${colorScheme} on screen, with everything to be read`, async () => {
      const page = await open({ media: 'print', colorScheme, reducedMotion: 'no-preference' });
      const wrong = await page.evaluate(() => {
        const problems: string[] = [];
        const look = (root: ParentNode): void => {
          for (const node of root.querySelectorAll<HTMLElement>('*')) {
            if (node.shadowRoot) look(node.shadowRoot);
            if (root === document || !node.checkVisibility() || node.closest('.sr, .compact')) continue;
            const style = getComputedStyle(node);
            const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent!.trim());
            if (own && style.color !== 'rgb(0, 0, 0)') problems.push(`${node.className}: ${style.color}`);
            if (own && node.scrollWidth > node.clientWidth + 1 && style.display !== 'inline') problems.push(`${node.className} is cut off`);
            if (node.localName === 'button' && !node.classList.contains('toggle'))
              problems.push(`${node.textContent} cannot be pressed on paper`);
            if (node.getAnimations().some((one) => one.playState === 'running')) problems.push(`${node.className} moves`);
            if (node.matches('.base') && !node.closest('li') && !['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'].includes(style.backgroundColor))
              problems.push(`${node.className}: ${style.backgroundColor}`);
          }
        };
        look(document);
        return problems;
      });
      assert.deepEqual(wrong, []);
      const bar = await picture(page.locator('#known [part~=bar]'));
      assert.ok(contrast(bar.at(bar.width * 0.25, bar.height / 2), bar.at(bar.width * 0.75, bar.height / 2)) >= 3, 'the fill');
      assert.equal(
        await page.locator('#known').evaluate((node) => getComputedStyle(node.shadowRoot!.querySelector('.base')!).breakInside),
        'avoid',
      );
      await page.close();
    });
  }

  it('fill from the side reading begins, by pixels', async () => {
    for (const direction of ['ltr', 'rtl']) {
      const page = await open({}, direction);
      const bar = await picture(page.locator('#known [part~=bar]'));
      const [left, right] = [bar.at(bar.width * 0.25, bar.height / 2), bar.at(bar.width * 0.75, bar.height / 2)];
      const track = direction === 'ltr' ? right : left;
      assert.ok(contrast(direction === 'ltr' ? left : right, track) >= 3, direction);
      await page.close();
    }
  });

  it('move on the compositor only, and not at all where less motion is asked for', async () => {
    const moves = (page: Page) =>
      page.evaluate(() => {
        const found: string[] = [];
        const look = (root: ParentNode): void => {
          for (const node of root.querySelectorAll('*')) {
            if (node.shadowRoot) look(node.shadowRoot);
            for (const animation of node.getAnimations()) {
              const effect = animation.effect as KeyframeEffect;
              if (effect.getTiming().iterations !== Infinity) continue;
              for (const frame of effect.getKeyframes())
                found.push(...Object.keys(frame).filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name)));
            }
          }
        };
        look(document);
        return found;
      });
    const lively = await open({ reducedMotion: 'no-preference' });
    const properties = new Set(await moves(lively));
    assert.ok(properties.size > 0, 'something moves');
    for (const property of properties) assert.match(property, /^(transform|translate|rotate|scale|opacity)$/);
    await lively.close();
    const still = await open({ reducedMotion: 'reduce' });
    assert.deepEqual(await moves(still), []);
    await still.close();
  });
});
