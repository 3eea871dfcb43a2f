import { expect, fixture, html } from '@open-wc/testing';
import '@sitrep/elements/define';
import type { Operation } from '@sitrep/schema';
import { systems } from '../../../stories/fixtures/systems.ts';
import { behind, contrast, seen, textContrast } from '../../../stories/fixtures/contrast.ts';
import { create, drawn, operation, part } from './support.ts';

const sheet = async (name: string): Promise<string> => {
  const answer = await fetch(new URL(`../../../packages/elements/themes/${name}.css`, import.meta.url));
  expect(answer.ok, `${name}.css`).to.equal(true);
  return answer.text();
};

const TONES: Readonly<Record<string, Partial<Operation>>> = {
  accent: { fraction: 0.4, message: 'Compiling' },
  success: { state: 'completed', current: 4, total: 4, unit: 'files' },
  danger: { state: 'failed', fraction: 0.4, error: { message: 'No room.', code: 'ENOSPC' } },
  attention: { state: 'blocked', fraction: 0.4, blockedOn: { kind: 'permission', prompt: 'Go on?' } },
  neutral: { state: 'paused', fraction: 0.4, message: 'Paused by hand' },
};

/** A part of a page two shadow roots deep, with a style sheet of its own, and in it an operation and a pill of each tone. */
async function page(text: string, className = ''): Promise<ShadowRoot> {
  const outer = await fixture<HTMLElement>(html`<div></div>`);
  const between = document.createElement('div');
  outer.attachShadow({ mode: 'open' }).append(between);
  const root = between.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets.push(new CSSStyleSheet());
  root.adoptedStyleSheets[0]!.replaceSync(text);
  root.innerHTML = `<div class="page ${className}" data-color-mode="fixed"></div>`;
  for (const over of Object.values(TONES)) {
    const row = create('tool-progress');
    const pill = create('status-pill');
    row['open'] = true;
    row['operation'] = pill['operation'] = operation(over);
    root.firstElementChild!.append(row, pill);
    await drawn(row);
    await drawn(pill);
  }
  return root;
}

/** Text and what carries meaning without words can be told from what lies behind it, in every tone. */
function expectReadable(root: ShadowRoot, least: number): void {
  const rows = [...root.querySelectorAll<HTMLElement>('tool-progress')];
  const pills = [...root.querySelectorAll<HTMLElement>('status-pill')];
  Object.keys(TONES).forEach((tone, index) => {
    const row = rows[index]!;
    const text = (element: HTMLElement, name: string): void => {
      const node = part(element, name);
      if (!node?.checkVisibility() || !node.textContent) return;
      expect(textContrast(node), `${tone}: ${name}`).to.be.at.least(least);
    };
    text(pills[index]!, 'pill');
    for (const name of ['pill', 'title', 'message', 'percent', 'amount', 'elapsed', 'detail']) text(row, name);
    const fill = part(row, 'fill')!;
    const colour = getComputedStyle(fill).backgroundColor;
    const surface = behind(part(row, 'base')!);
    const track = behind(part(row, 'bar')!);
    expect(contrast(seen(...track, colour), seen(...surface)), `${tone}: fill on the surface`).to.be.at.least(3);
    expect(contrast(seen(...track, colour), seen(...track)), `${tone}: fill on the track`).to.be.at.least(3);
  });
}

describe('looks: contrast', () => {
  for (const scheme of ['light', 'dark']) {
    it(`is enough by default, ${scheme}, with the scheme set around two shadow roots`, async () => {
      expectReadable(await page(`.page{color-scheme:${scheme}}`), 4.5);
    });

    it(`is enough with ${scheme}.css, on a page that says nothing of schemes`, async () => {
      const root = await page(await sheet(scheme));
      expectReadable(root, 4.5);
      const [surface] = behind(part(root.querySelector('tool-progress')!, 'base')!).slice(-1);
      expect(seen(surface!)[0], 'brightness of the surface').to.be[scheme === 'light' ? 'above' : 'below'](128);
    });

    it(`is more than enough with high-contrast.css, ${scheme}`, async () => {
      expectReadable(await page(`.page{color-scheme:${scheme}}${await sheet('high-contrast')}`), 7);
    });

    it(`is enough with dense.css, ${scheme}`, async () => {
      expectReadable(await page(`.page{color-scheme:${scheme}}${await sheet('dense')}`), 4.5);
    });
  }

  for (const [paper, ink] of [
    ['#fff', '#000'],
    ['#fffdf7', '#2a2118'],
    ['#1c2433', '#e9eef7'],
    ['#000', '#ddd'],
  ]) {
    it(`is enough with neutral.css on a page of ${ink} on ${paper} that says nothing of schemes`, async () => {
      expectReadable(await page(`.page{background:${paper};color:${ink};font:1rem serif}${await sheet('neutral')}`), 4.5);
    });
  }

  for (const { recipe, name, light, dark, classes, page: looks } of Object.values(systems)) {
    classes.forEach((className, index) => {
      it(`is enough on a page of ${name}, ${index ? 'dark' : 'light'}`, async () => {
        const values = `.${className}{${index ? dark : light}color-scheme:${index ? 'dark' : 'light'}}.page{${looks}}`;
        expectReadable(await page(values + (await sheet(recipe)).replace(':where(:root,', ':where(.page, :root,'), className), 4.5);
      });
    });
  }
});

describe('looks: themes', () => {
  it('leave the last word to the page, wherever it stands', async () => {
    const root = await page(`.page{--sitrep-surface:rgb(1, 2, 3)}${await sheet('high-contrast')}`);
    expect(getComputedStyle(part(root.querySelector('tool-progress')!, 'base')!).backgroundColor).to.equal('rgb(1, 2, 3)');
  });

  it('neutral takes font and colour of the page', async () => {
    const root = await page(`.page{font:italic 20px monospace;color:rgb(9, 8, 7)}${await sheet('neutral')}`);
    const style = getComputedStyle(part(root.querySelector('tool-progress')!, 'title')!);
    expect(style.fontStyle).to.equal('italic');
    expect(style.fontSize).to.equal('20px');
    expect(style.color).to.equal('rgb(9, 8, 7)');
  });

  it('dense makes everything smaller, and no button below 24 px', async () => {
    const plain = await page('');
    const dense = await page(await sheet('dense'));
    const height = (root: ShadowRoot): number => root.querySelector('tool-progress')!.getBoundingClientRect().height;
    expect(height(dense)).to.be.below(height(plain));
    expect(part(dense.querySelector('tool-progress')!, 'toggle')!.getBoundingClientRect().height).to.be.at.least(24);
  });

  it('of one design system hold for a dark part of a light page', async () => {
    const { light, dark } = systems['shadcn']!;
    const root = await page(`:host{${light}}.dark{${dark}}${await sheet('shadcn')}`, 'dark');
    expect(seen(...behind(part(root.querySelector('tool-progress')!, 'base')!))[0]).to.be.below(60);
  });
});
