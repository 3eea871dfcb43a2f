import { expect, fixture, html } from '@open-wc/testing';
import { emulateMedia, sendKeys, sendMouse } from '@web/test-runner-commands';
import '@sitrep/elements/define/progress-peek';
import type { ProgressPeek } from '@sitrep/elements';
import { away, cardIn, clear, everything, Held, hover, middle, popover, showsNow, shownTitle } from './peek-support.ts';
import { operation, part, until, words, type Element } from './support.ts';

let errors: string[];
let held: Map<string, Held>;
const note = (event: ErrorEvent): void => void errors.push(event.message);
beforeEach(async () => {
  errors = [];
  held = new Map();
  window.addEventListener('error', note);
  await away();
});
afterEach(async () => {
  await clear();
  window.removeEventListener('error', note);
  expect(errors).to.deep.equal([]);
});

/** A part of a page, with one element that looks after all of it. */
async function page(markup: unknown, over: object = {}): Promise<HTMLElement> {
  const box = await fixture<HTMLElement>(html`<div style="padding: 20px">${markup}</div>`);
  for (const one of everything(box)) {
    if (one.localName !== 'progress-peek') continue;
    const peek = one as unknown as ProgressPeek;
    Object.assign(peek, { showDelay: 30, hideDelay: 30 });
    peek.openSession = (session) => {
      if (!held.has(session)) held.set(session, new Held(session, over));
      return held.get(session);
    };
    await peek.updateComplete;
  }
  return box;
}
const one = <T extends globalThis.Element = HTMLElement>(box: ParentNode, selector: string): T => box.querySelector<T>(selector)!;
const usable = (): object => ({ operations: [operation({ run: 'r', message: 'm', error: { message: 'Broken' } })] });
const reference = (name = 'a', text = 'Fix the build'): unknown => html`<a href="#there" data-progress-session=${name}>${text}</a>`;
/** What is there to be clicked at the middle of the head of the card. */
function hit(box: HTMLElement): globalThis.Element | null {
  const { left, top } = cardIn(box).getBoundingClientRect();
  return document.elementFromPoint(left + 30, top + 15);
}
const isBeside = (card: HTMLElement, link: HTMLElement): boolean => {
  const [a, b] = [card.getBoundingClientRect(), link.getBoundingClientRect()];
  return a.left <= b.right + 8 && a.right >= b.left - 8 && a.top <= b.bottom + 8 && a.bottom >= b.top - 8;
};
const shadow = (box: HTMLElement, markup: string): ShadowRoot => {
  const root = one(box, '.host').attachShadow({ mode: 'open' });
  root.innerHTML = markup;
  return root;
};

describe('what draws a hover card', () => {
  it('is loaded when the reader first rests on a reference', async () => {
    const box = await page(html`<progress-peek></progress-peek>${reference()}`);
    expect(customElements.get('progress-card')).to.equal(undefined);
    await hover(one(box, 'a'));
    await showsNow('Session a');
  });
});

describe('a hover card in a modal dialog', () => {
  it('can be used, by pointer and by Tab, though its element is outside; Escape closes it before the dialog', async () => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <dialog style="padding: 60px"><button>b</button>${reference()}</dialog>`,
      usable(),
    );
    const dialog = one<HTMLDialogElement>(box, 'dialog');
    dialog.showModal();
    await hover(one(box, 'a'));
    await showsNow('Session a');
    expect(hit(popover()!)?.localName).to.equal('progress-card');
    await away();
    await showsNow(undefined);
    one(box, 'button').focus();
    await sendKeys({ press: 'Tab' });
    await showsNow('Session a');
    await until(() => one(box, 'a').getAttribute('aria-details') === popover()?.id, 'it can be used');
    expect(popover()!.getAttribute('role')).to.equal('dialog');
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(cardIn(popover()!));
    await sendKeys({ press: 'Escape' });
    await showsNow(undefined);
    expect(document.activeElement).to.equal(one(box, 'a'));
    expect(dialog.open).to.equal(true);
    await sendKeys({ press: 'Escape' });
    await until(() => !dialog.open, 'the dialog is closed');
    expect(everything().filter((at) => at.matches('.sitrep-peek')).length).to.equal(0);
  });

  it('is found across shadow roots, and is put into the innermost of several', async () => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <div class="host"><p>${reference()}</p></div>`,
    );
    const root = shadow(
      box,
      '<dialog id="outer" style="padding: 40px"><dialog id="inner" style="padding: 40px"><slot></slot></dialog></dialog>',
    );
    const [outer, inner] = [one<HTMLDialogElement>(root, '#outer'), one<HTMLDialogElement>(root, '#inner')];
    outer.showModal();
    inner.showModal();
    await hover(one(box, 'a'));
    await showsNow('Session a');
    expect(popover()!.parentElement).to.equal(inner);
    expect(isBeside(popover()!, one(box, 'a'))).to.equal(true);
    expect(hit(popover()!)?.localName ?? '').to.equal('div');
    await until(() => one(box, 'a').hasAttribute('aria-describedby'), 'it is described');
    expect(words(document.getElementById(one(box, 'a').getAttribute('aria-describedby')!))).to.contain('Session a: working.');
    inner.close();
    await showsNow(undefined);
    expect(document.querySelectorAll('[id$=-words]').length).to.equal(0);
  });

  it('is in a dialog that the page makes of other elements, while the rest is inert or hidden from assistive technology', async () => {
    for (const how of [{ inert: true }, { ariaHidden: 'true' }]) {
      const box = await page(
        html`<div class="rest"><progress-peek></progress-peek></div>
          <div class="modal" role="dialog">${reference()}</div>`,
      );
      Object.assign(one(box, '.rest'), how);
      await hover(one(box, 'a'));
      await showsNow('Session a');
      expect(popover()!.parentElement).to.equal(one(box, '.modal'));
      await away();
      await showsNow(undefined);
    }
  });

  it('is seen though its element is in a dialog that is closed', async () => {
    const box = await page(
      html`<dialog><progress-peek for="all"></progress-peek></dialog>
        <p id="all">${reference()}</p>`,
    );
    await hover(one(box, 'a'));
    await showsNow('Session a');
    expect(popover()!.checkVisibility()).to.equal(true);
    expect(isBeside(popover()!, one(box, 'a'))).to.equal(true);
  });

  it('does not close the menu it is used in', async () => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <div popover style="inset: auto; left: 40px; top: 40px">${reference()}</div>`,
    );
    const menu = one(box, '[popover]');
    menu.showPopover();
    await hover(one(box, 'a'));
    await showsNow('Session a');
    const { left, top } = cardIn(popover()!).getBoundingClientRect();
    for (const y of [-2, 4, 14]) await sendMouse({ type: 'move', position: [Math.round(left + 30), Math.round(top + y)] });
    await sendMouse({ type: 'click', position: [Math.round(left + 30), Math.round(top + 14)] });
    expect(menu.matches(':popover-open')).to.equal(true);
    expect(shownTitle()).to.equal('Session a');
  });
});

describe('a hover card of a reference in a shadow root', () => {
  const inside = `<div style="padding: 10px; overflow: auto; block-size: 60px" tabindex="-1">
    <a href="#x" data-progress-session="s1">one</a> <i>between</i>
    <a href="#x" data-progress-session="s2" style="margin-inline-start: 420px">two</a><p style="block-size: 400px"></p></div>`;

  it('is beside it, described where it can be found, and scrolls along', async () => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <div class="host"></div>`,
    );
    const root = shadow(box, inside);
    const link = one(root, 'a');
    await hover(link);
    await showsNow('Session s1');
    expect(isBeside(popover()!, link)).to.equal(true);
    await until(() => link.hasAttribute('aria-describedby'), 'it is described');
    expect(words(root.getElementById(link.getAttribute('aria-describedby')!))).to.contain('Session s1: working.');
    const before = popover()!.getBoundingClientRect().top;
    one(root, 'div').scrollTop = 8;
    await until(() => Math.abs(popover()!.getBoundingClientRect().top - before + 8) < 1, 'it went along');
  });

  it('comes and goes with the pointer that stays within the root, and with the focus', async () => {
    const box = await page(
      html`<progress-peek></progress-peek><button>before</button>
        <div class="host"></div>`,
    );
    const root = shadow(box, inside);
    const [first, second] = root.querySelectorAll('a');
    await hover(one(root, 'i'));
    await hover(first!);
    await showsNow('Session s1');
    await hover(second!);
    await showsNow('Session s2');
    await away();
    await showsNow(undefined);
    one(box, 'button').focus();
    await sendKeys({ press: 'Tab' });
    await showsNow('Session s1');
    await sendKeys({ press: 'Tab' });
    await showsNow('Session s2');
    await sendKeys({ press: 'Escape' });
    await showsNow(undefined);
  });

  it('is placed by measuring, and follows what scrolls there, where the page keeps its anchors to itself', async () => {
    const box = await page(html`<div class="host"></div>`);
    const root = shadow(
      box,
      `<progress-peek show-delay="30" hide-delay="30"></progress-peek><div style="overflow: auto; block-size: 60px; anchor-scope: all">${inside}</div>`,
    );
    const peek = one<Element>(root, 'progress-peek') as unknown as ProgressPeek;
    peek.openSession = (session) => new Held(session);
    await peek.updateComplete;
    const link = one(root, 'a');
    await hover(link);
    await showsNow('Session s1');
    await until(() => isBeside(popover()!, link), 'it is beside it');
    const before = popover()!.getBoundingClientRect().top;
    root.querySelectorAll('div')[1]!.scrollTop = 8;
    await until(() => Math.abs(popover()!.getBoundingClientRect().top - before + 8) < 1, 'it went along');
  });
});

describe('a hover card whose reference changes', () => {
  it('is that of another session once the row stands for one, and goes when it stands for none', async () => {
    const box = await page(html`<progress-peek></progress-peek>${reference('r1')}`);
    const link = one(box, 'a');
    await hover(link);
    await showsNow('Session r1');
    link.dataset['progressSession'] = 'r2';
    await showsNow('Session r2');
    expect(held.get('r1')!.watched).to.equal(0);
    delete link.dataset['progressSession'];
    await showsNow(undefined);
    await away();
    const around = await page(html`<progress-peek src="/p1"><a href="#x">Around</a></progress-peek>`);
    await hover(one(around, 'a'));
    await showsNow('Session /p1');
    one<Element>(around, 'progress-peek')['src'] = '/p2';
    await showsNow('Session /p2');
  });

  it('goes when its element is moved, and says so', async () => {
    const box = await page(
      html`<progress-peek src="/m"><a href="#x">Around</a></progress-peek>
        <p class="to"></p>`,
    );
    const peek = one<Element>(box, 'progress-peek');
    const heard: boolean[] = [];
    peek.addEventListener('progress-toggle', (event) => heard.push(event.open));
    (peek as unknown as ProgressPeek).show(one(box, 'a'));
    await showsNow('Session /m');
    one(box, '.to').append(peek);
    await until(() => heard.length === 2, 'it is told');
    expect(heard).to.deep.equal([true, false]);
    expect(peek.matches(':state(open)')).to.equal(false);
    (peek as unknown as ProgressPeek).show(one(box, 'a'));
    await showsNow('Session /m');
  });

  it('gives the focus back when it goes, and does not come again for that', async () => {
    const box = await page(html`<button>before</button><progress-peek></progress-peek>${reference()}`, usable());
    one(box, 'button').focus();
    await sendKeys({ press: 'Tab' });
    await showsNow('Session a');
    await until(() => popover()?.role === 'dialog', 'it can be used');
    await sendKeys({ press: 'Tab' });
    expect(document.activeElement).to.equal(cardIn(popover()!));
    one<Element & ProgressPeek>(box, 'progress-peek').hide();
    expect(document.activeElement).to.equal(one(box, 'a'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(shownTitle()).to.equal(undefined);
  });
});

describe('what a hover card is called', () => {
  it('is what its reference says, where the session has no title', async () => {
    const box = await page(html`<progress-peek></progress-peek><a href="#x" data-progress-session="u">Fix <b>the</b> build</a>`, {
      title: undefined,
    });
    await hover(one(box, 'a'));
    await showsNow('Fix the build');
    await until(() => one(box, 'a').hasAttribute('aria-describedby'), 'it is described');
    expect(words(document.getElementById(one(box, 'a').getAttribute('aria-describedby')!))).to.match(/^Fix the build: working\./);
    const { session, error } = held.get('u')!.getSnapshot();
    held.get('u')!.set({ session: { ...session!, title: 'Named meanwhile' }, error });
    await showsNow('Named meanwhile');
    await away();
    await showsNow(undefined);
    const icon = await page(html`<progress-peek></progress-peek><a href="#x" data-progress-session="i" aria-label="Nightly">◐</a>`, {
      title: undefined,
    });
    await hover(one(icon, 'a'));
    await showsNow('Nightly');
    await away();
    await showsNow(undefined);
    const bare = await page(
      html`<progress-peek></progress-peek><a href="#x" data-progress-session="job-7"><svg width="20" height="20"></svg></a>`,
      { title: undefined },
    );
    await hover(one(bare, 'a'));
    await showsNow('job-7');
  });

  it('is a dialog by that name where there is something to use in it', async () => {
    const box = await page(html`<progress-peek></progress-peek>${reference('d', 'Deploy')}`, { ...usable(), title: undefined });
    await hover(one(box, 'a'));
    await until(() => popover()?.getAttribute('aria-label') === 'Deploy', 'it is named');
    expect(part(cardIn(popover()!), 'title')!.textContent).to.equal('Deploy');
  });
});

describe('what a hover card and its description say', () => {
  it('is in the language of the page, also when that has yet to come, or changes', async () => {
    document.documentElement.lang = 'de';
    try {
      const box = await page(html`<progress-peek></progress-peek>${reference()}`);
      const link = one(box, 'a');
      const described = (): string => words(document.getElementById(link.getAttribute('aria-describedby') ?? ''));
      await hover(link);
      await showsNow('Session a');
      await until(() => described().includes('1 von 3 erledigt'), 'it is described in German');
      await until(() => words(part(cardIn(popover()!), 'counts')) === '1 von 3 erledigt', 'the card is German, too');
      document.documentElement.lang = 'fr';
      await until(() => /sur 3/.test(words(part(cardIn(popover()!), 'counts'))), 'the card is French');
      await until(() => /sur 3/.test(described()), 'it is described in French');
    } finally {
      document.documentElement.removeAttribute('lang');
    }
  });

  it('belongs to the node of a drawing as well', async () => {
    const box = await page(
      html`<progress-peek></progress-peek
        ><svg width="300" height="60">
          <a href="#x" data-progress-session="svg"><rect x="20" y="10" width="80" height="30" fill="teal"></rect></a>
        </svg>`,
    );
    const node = one<SVGElement>(box, 'svg a');
    await hover(one(box, 'rect'));
    await showsNow('Session svg');
    expect(isBeside(popover()!, node as unknown as HTMLElement)).to.equal(true);
    await away();
    await showsNow(undefined);
    node.focus();
    await until(() => document.activeElement === node, 'it has the focus');
  });

  it('is not printed over the page', async () => {
    const box = await page(html`<progress-peek></progress-peek>${reference()}`);
    await hover(one(box, 'a'));
    await showsNow('Session a');
    // Only Chromium can be asked to show what it would print.
    if (!navigator.userAgent.includes('HeadlessChrome')) return;
    await emulateMedia({ media: 'print' });
    try {
      await until(() => !popover()!.checkVisibility(), 'it is not seen in print');
    } finally {
      await emulateMedia({ media: 'screen' });
    }
    expect(popover()!.checkVisibility()).to.equal(true);
  });
});

describe('what the reader does in a hover card', () => {
  it('is told by its element, wherever the card hangs', async () => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <dialog style="padding: 40px">${reference()}</dialog>`,
      usable(),
    );
    one<HTMLDialogElement>(box, 'dialog').showModal();
    const heard: string[] = [];
    one(box, 'progress-peek').addEventListener('progress-toggle', (event) => heard.push((event.target as HTMLElement).localName));
    await hover(one(box, 'a'));
    await showsNow('Session a');
    const row = everything(popover()!).find(({ localName }) => localName === 'tool-progress')!;
    await until(() => !!row.shadowRoot?.querySelector('button'), 'it can be opened');
    row.shadowRoot!.querySelector('button')!.click();
    // The first one is the card itself, which came.
    expect(heard).to.deep.equal(['progress-peek', 'progress-peek']);
  });
});

describe('with real fingers, a hover card', () => {
  const touch = (...steps: (number | [number, number][])[]): Promise<boolean> =>
    import('@web/test-runner-commands').then(({ executeServerCommand }) => executeServerCommand<boolean, object>('touch', { steps }));
  const at = (element: globalThis.Element, x = 0, y = 0): [number, number][] => [[middle(element)[0] + x, middle(element)[1] + y]];
  const touched = async (): Promise<{ box: HTMLElement; link: HTMLElement; clicks: string[] }> => {
    const box = await page(
      html`<progress-peek></progress-peek>
        <p>See ${reference()} for more.</p>
        <div style="block-size: 3000px"></div>`,
    );
    const clicks: string[] = [];
    const link = one(box, 'a');
    link.addEventListener('click', (event) => {
      event.preventDefault();
      clicks.push('click');
    });
    return { box, link, clicks };
  };

  it('comes when one rests, stays when it is lifted, and goes with a tap elsewhere', async () => {
    const { link, clicks } = await touched();
    if (!(await touch(at(link), 900))) return expect(navigator.userAgent).not.to.contain('HeadlessChrome');
    await showsNow('Session a');
    expect(clicks).to.deep.equal([]);
    expect(String(getSelection())).to.equal('');
    await touch([middle(cardIn(popover()!))]);
    expect(shownTitle()).to.equal('Session a');
    await touch([[700, 550]]);
    await showsNow(undefined);
    expect(link.hasAttribute('style')).to.equal(false);
    return undefined;
  });

  it('does not come for a tap, a finger that begins to scroll, or two that zoom', async () => {
    const { link, clicks } = await touched();
    if (!(await touch(at(link)))) return expect(navigator.userAgent).not.to.contain('HeadlessChrome');
    await until(() => clicks.length === 1, 'a tap is a click');
    await touch(at(link), ...[8, 16, 24, 32, 40].map((y) => at(link, 0, -y)), 700);
    expect(shownTitle()).to.equal(undefined);
    scrollTo(0, 0);
    const [x, y] = middle(link);
    await touch(
      [[x, y]],
      [
        [x, y],
        [x + 40, y + 60],
      ],
      [
        [x, y],
        [x + 60, y + 120],
      ],
      700,
    );
    expect(shownTitle()).to.equal(undefined);
    expect(clicks.length).to.equal(1);
    return undefined;
  });
});
