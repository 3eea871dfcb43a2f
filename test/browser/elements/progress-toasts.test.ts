import { expect, fixture, html } from '@open-wc/testing';
import { a11ySnapshot, resetMouse, sendKeys, sendMouse } from '@web/test-runner-commands';
import type { Operation, Run } from '@sitrep/schema';
import '@sitrep/elements/define/progress-toasts';
import '@sitrep/elements/define/progress-card';
import '@sitrep/elements/define/progress-provider';
import type { ProgressOpenRequestEvent, ProgressToasts, SessionState } from '@sitrep/elements';
import { create, listen, operation, part, run, until, words } from './support.ts';

/** A session that a test moves by hand. */
class Session {
  readonly #listeners = new Set<(state: SessionState) => void>();
  #state: SessionState;

  constructor(session: string, over: Partial<SessionState> = {}) {
    this.#state = {
      session,
      loaded: true,
      card: { revision: 0, card: null },
      operations: [],
      runs: [run()],
      title: `Title of ${session}`,
      usage: undefined,
      connection: { state: 'live', since: 0 },
      ...over,
    };
  }

  getSnapshot = (): SessionState => this.#state;

  subscribe = (listener: (state: SessionState) => void): (() => void) => {
    this.#listeners.add(listener);
    listener(this.#state);
    return () => void this.#listeners.delete(listener);
  };

  move(over: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...over };
    for (const listener of this.#listeners) listener(this.#state);
  }

  ask(prompt: string, over: Partial<Operation> = {}): void {
    this.move({
      operations: [
        operation({
          id: 'p',
          run: 'r',
          title: 'Publish',
          activeTitle: 'Publish',
          state: 'blocked',
          blockedOn: { kind: 'permission', prompt },
          ...over,
        }),
      ],
    });
  }

  end(state: Run['state'], reason?: string): void {
    this.move({ runs: [run({ state, ...(reason !== undefined && { reason }) })] });
  }

  begin(key: string): void {
    this.move({ runs: [...this.#state.runs, run({ run: key })] });
  }
}

const toastsOf = (element: HTMLElement): HTMLElement[] => [...element.shadowRoot!.querySelectorAll<HTMLElement>('.toast')];
const told = (element: HTMLElement): string[] =>
  toastsOf(element).map((toast) => ['title', 'body'].map((name) => words(toast.querySelector(`[part=${name}]`))).join(': '));
const inside = (element: HTMLElement): Element | null => element.shadowRoot!.activeElement;

async function watching(...sessions: Session[]): Promise<ProgressToasts> {
  const element = await fixture<ProgressToasts>(html`<progress-toasts></progress-toasts>`);
  element.stay = 0;
  for (const session of sessions) element.watch(session);
  return element;
}

describe('progress-toasts', () => {
  let heard: ReturnType<typeof listen>;
  beforeEach(() => (heard = listen(true)));
  afterEach(() => heard.stop());

  it('tells what needs somebody, what failed and what is done, and nothing that was there at first', async () => {
    const [asks, fails, ends, old] = ['asks', 'fails', 'ends', 'old'].map((name) => new Session(name));
    old!.end('failed');
    const element = await watching(asks!, fails!, ends!, old!);
    expect(part(element, 'stack'), 'no landmark without notices').to.equal(null);
    ends!.end('completed');
    fails!.end('failed', 'Disk full');
    asks!.ask('May I?');
    await until(() => toastsOf(element).length === 3, 'three notices');
    expect(told(element)).to.deep.equal([
      'Title of asks: Publish needs permission: May I?',
      'Title of fails: failed: Disk full',
      'Title of ends: completed',
    ]);
    await until(() => heard.said.length === 2, 'both sorts are spoken');
    expect(heard.said[0]).to.equal('assertive: Title of fails: failed: Disk full.');
    expect(heard.said[1]).to.match(/^polite: .*Title of ends: completed\..*Title of asks: Publish needs permission: May I\?/);
    expect(document.querySelectorAll('progress-toasts [aria-live], progress-toasts [role=status]').length).to.equal(0);
    expect(element.shadowRoot!.querySelectorAll('[aria-live], [role=status], [role=alert]').length).to.equal(0);
  });

  it('has one place for each session: the newer takes it, and a question goes when it is answered', async () => {
    const session = new Session('one');
    const element = await watching(session);
    session.end('failed', 'First');
    await until(() => told(element).join() === 'Title of one: failed: First', 'the first');
    session.begin('r2');
    session.move({ runs: [...session.getSnapshot().runs.slice(0, 1), run({ run: 'r2', state: 'completed' })] });
    await until(() => told(element).join() === 'Title of one: completed', 'the newer in its place');
    session.begin('r3');
    session.ask('May I?', { run: 'r3' });
    await until(() => told(element).join() === 'Title of one: Publish needs permission: May I?', 'what is asked stands before it');
    session.move({ operations: [operation({ id: 'p', run: 'r3', title: 'Publish', activeTitle: 'Publish' })] });
    await until(() => told(element).join() === 'Title of one: completed', 'answered');
    await until(() => heard.said.length > 0, 'it is spoken');
    expect(heard.said.filter((one) => one.includes('failed')).length).to.equal(1);
  });

  it('tells nothing twice, whatever is sent again', async () => {
    const session = new Session('again');
    const element = await watching(session);
    const { runs } = session.getSnapshot();
    session.end('failed');
    await until(() => toastsOf(element).length === 1, 'told');
    part(element, 'dismiss')!.click();
    await until(() => toastsOf(element).length === 0, 'dismissed');
    // A reader that lost everything, and is given it all once more.
    session.move({ runs: [] });
    session.move({ runs });
    session.end('failed');
    session.move({ connection: { state: 'resumed', since: 1 } });
    await element.updateComplete;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    expect(toastsOf(element).length).to.equal(0);
    session.end('cancelled');
    expect(toastsOf(element).length).to.equal(0);
  });

  it('leaves it to the card that is in view, and tells what happens while that is not', async () => {
    const session = new Session('seen');
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-provider .store=${session as never}><progress-card></progress-card></progress-provider>
      </div>`,
    );
    const card = box.querySelector('progress-card')!;
    await until(() => words(part(card, 'title')) === 'Title of seen', 'the card');
    const element = await watching(session);
    session.ask('In view?');
    await until(() => heard.said.some((one) => one.includes('In view?')), 'the card says it');
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    expect(toastsOf(element).length, 'no notice of what is seen').to.equal(0);
    session.move({ operations: [] });
    box.style.marginBlockStart = '4000px';
    session.ask('Out of view?');
    await until(() => told(element).some((one) => one.includes('Out of view?')), 'a notice');
    await until(() => heard.said.some((one) => one.includes('Out of view?')), 'the card says it');
    expect(heard.said.filter((one) => one.includes('Out of view?')).length, 'said once, by the card').to.equal(1);
  });

  it('lets a success go after a while, which stands still with the focus inside, and keeps the rest', async () => {
    const [done, failed] = [new Session('done'), new Session('failed')];
    const element = await watching(done, failed);
    element.stay = 0.4;
    await element.updateComplete;
    done.end('completed');
    failed.end('failed');
    await until(() => toastsOf(element).length === 2, 'both');
    const success = toastsOf(element).find((toast) => toast.matches('[part~=done]'))!;
    success.querySelector<HTMLElement>('.open')!.focus();
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(success.isConnected, 'it stays while it is read').to.equal(true);
    success.querySelector<HTMLElement>('.open')!.blur();
    await until(() => toastsOf(element).length === 1, 'it goes');
    expect(inside(element), 'and gives the focus to nobody').to.equal(null);
    expect(told(element)[0]).to.contain('Title of failed');
  });

  it('tells what happened while the tab was hidden, also where the card is in view, and counts no time until it is seen', async () => {
    const session = new Session('away');
    const box = await fixture<HTMLElement>(
      html`<div>
        <progress-provider .store=${session as never}><progress-card></progress-card></progress-provider>
      </div>`,
    );
    await until(() => words(part(box.querySelector('progress-card')!, 'title')) === 'Title of away', 'the card');
    const element = await watching(session);
    element.stay = 0.1;
    await element.updateComplete;
    const hide = (hidden: boolean): void => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
      document.dispatchEvent(new Event('visibilitychange'));
    };
    try {
      hide(true);
      session.end('completed');
      await until(() => told(element).join() === 'Title of away: completed', 'a notice');
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(toastsOf(element).length, 'it waits for its reader').to.equal(1);
      hide(false);
      await until(() => toastsOf(element).length === 0, 'then it goes');
    } finally {
      Reflect.deleteProperty(document, 'hidden');
    }
  });

  it('shows three and says how many more there are', async () => {
    const sessions = ['a', 'b', 'c', 'd', 'e'].map((name) => new Session(name));
    const element = await watching(...sessions);
    for (const session of sessions) session.end('completed');
    await until(() => toastsOf(element).length === 3, 'three');
    expect(words(part(element, 'more'))).to.equal('Show 2 more');
    part(element, 'more')!.click();
    await until(() => toastsOf(element).length === 5, 'all');
    expect(part(element, 'more')).to.equal(null);
    await until(() => inside(element)?.closest('.toast') === toastsOf(element)[3], 'the focus goes on with the first of them');
  });

  it('never takes the focus; a key goes to it, Escape dismisses and goes back', async () => {
    const box = await fixture<HTMLElement>(html`<div><input aria-label="Message" /></div>`);
    const input = box.querySelector('input')!;
    input.focus();
    const [one, two] = [new Session('one'), new Session('two')];
    const element = await watching(one, two);
    one.ask('May I?');
    two.end('failed');
    await until(() => toastsOf(element).length === 2, 'both');
    expect(document.activeElement).to.equal(input);
    // Not every driver knows function keys.
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'F8', bubbles: true, composed: true, cancelable: true }));
    expect(inside(element)).to.equal(toastsOf(element)[0]!.querySelector('.open'));
    await sendKeys({ press: 'Escape' });
    await until(() => toastsOf(element).length === 1, 'one is dismissed');
    await until(() => inside(element) === toastsOf(element)[0]!.querySelector('.open'), 'the next one has the focus');
    await sendKeys({ press: 'Escape' });
    await until(() => toastsOf(element).length === 0, 'the other');
    await until(() => document.activeElement === input, 'back where it was');
  });

  it('asks to go where it is about, and goes unless the page prevents it', async () => {
    const session = new Session('go');
    const element = await watching(session);
    element.href = '#/chats/{session}';
    const asked: (readonly [string, unknown])[] = [];
    let prevent = true;
    element.addEventListener('progress-open-request', (event) => {
      const { session: key, operation: about } = event as ProgressOpenRequestEvent;
      asked.push([key, about?.id]);
      if (prevent) event.preventDefault();
    });
    session.ask('May I?');
    await until(() => toastsOf(element).length === 1, 'the notice');
    const link = part(element, 'open') as HTMLAnchorElement;
    expect(link.getAttribute('href')).to.equal('#/chats/go');
    link.focus();
    await sendKeys({ press: 'Enter' });
    await until(() => asked.length === 1, 'asked by Enter');
    expect(location.hash).to.equal('');
    expect(toastsOf(element).length).to.equal(1);
    prevent = false;
    link.click();
    await until(() => toastsOf(element).length === 0, 'gone with the click');
    expect(asked).to.deep.equal([
      ['go', 'p'],
      ['go', 'p'],
    ]);
    expect(location.hash).to.equal('#/chats/go');
    history.replaceState(null, '', location.pathname + location.search);
  });

  /** The stack, wherever it stands now. */
  const stacks = (): HTMLElement[] =>
    [...document.querySelectorAll('progress-toasts')].flatMap((one) => [...one.shadowRoot!.querySelectorAll<HTMLElement>('.stack')]);
  const insideOf = (dialog: HTMLElement): HTMLElement[] => {
    const double = [...dialog.children].find(({ localName }) => localName === 'progress-toasts') as HTMLElement | undefined;
    return double ? toastsOf(double) : [];
  };
  async function modal(around: ParentNode = document.body): Promise<HTMLDialogElement> {
    const dialog = document.createElement('dialog');
    dialog.innerHTML = '<button>First</button><button>Second</button>';
    Object.assign(dialog.style, { position: 'fixed', inset: '0', inlineSize: '100vw', blockSize: '100vh', maxInlineSize: 'none' });
    around.append(dialog);
    dialog.showModal();
    return dialog;
  }
  const middleOf = (element: HTMLElement): [number, number] => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [Math.round(left + width / 2), Math.round(top + height / 2)];
  };

  it('can be read, clicked and reached by keyboard in a modal dialog, as the one landmark, and comes back after it', async () => {
    const [one, two] = [new Session('one'), new Session('two')];
    const element = await watching(one, two);
    one.ask('May I?');
    await until(() => toastsOf(element).length === 1, 'the notice');
    // By regions, which are to be where they are heard.
    heard.stop();
    heard = listen(false);
    const dialog = await modal();
    try {
      await until(() => insideOf(dialog).length === 1, 'it stands in the dialog');
      expect(document.activeElement, 'the focus stays where the dialog put it').to.equal(dialog.querySelector('button'));
      two.end('failed');
      await until(() => insideOf(dialog).length === 2, 'also what comes meanwhile');
      expect(stacks().length, 'one landmark').to.equal(1);
      await until(() => heard.said.some((said) => said.includes('Title of two')), 'it is said');
      for (const region of document.querySelectorAll('[data-sitrep=voice]'))
        expect(dialog.contains(region), 'where it is heard').to.equal(true);
      dialog
        .querySelector('button')!
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'F8', bubbles: true, composed: true, cancelable: true }));
      const active = (): Element | null => dialog.querySelector('progress-toasts')!.shadowRoot!.activeElement;
      expect(active()).to.equal(insideOf(dialog)[0]!.querySelector('.open'));
      await sendKeys({ press: 'Escape' });
      await until(() => insideOf(dialog).length === 1, 'Escape dismisses the notice');
      expect(dialog.open, 'and not the dialog').to.equal(true);
      await until(() => active() === insideOf(dialog)[0]!.querySelector('.open'), 'the next one has the focus');
      await sendMouse({ type: 'click', position: middleOf(insideOf(dialog)[0]!.querySelector('.dismiss')!) });
      await until(() => insideOf(dialog).length === 0, 'the pointer reaches it, too');
      await until(() => document.activeElement === dialog.querySelector('button'), 'the focus is back in the dialog');
      one.ask('And now?', { attempt: 2 });
      await until(() => insideOf(dialog).length === 1, 'another one');
      dialog.close();
      await until(() => toastsOf(element).length === 1, 'it is at home again');
      expect(dialog.querySelector('progress-toasts')).to.equal(null);
      expect(document.elementFromPoint(...middleOf(toastsOf(element)[0]!))).to.equal(element);
    } finally {
      await sendMouse({ type: 'move', position: [1, 1] });
      await resetMouse();
      dialog.remove();
    }
  });

  it('stands in the dialog that is on top, whatever becomes of that, and takes nothing along where it goes itself', async () => {
    const session = new Session('one');
    const element = await watching(session);
    session.ask('May I?');
    await until(() => toastsOf(element).length === 1, 'the notice');
    const shell = await fixture<HTMLElement>(html`<div></div>`);
    const below = await modal();
    await until(() => insideOf(below).length === 1, 'in the first');
    // A dialog in a shadow root tells nobody outside that it opens.
    const above = await modal(shell.attachShadow({ mode: 'open' }));
    let notified = '';
    Object.assign(above, { ariaNotify: (text: string) => (notified = text) });
    try {
      session.ask('Also this?', { attempt: 2 });
      await until(() => notified.includes('Also this?'), 'it is said there');
      await until(() => insideOf(above).length === 1 && insideOf(below).length === 0, 'in the one on top');
      above.replaceChildren(document.createElement('input'));
      await until(() => insideOf(above).length === 1, 'whoever empties the dialog does not take it along');
      above.close();
      await until(() => insideOf(below).length === 1, 'in the one below');
      below.remove();
      await until(() => toastsOf(element).length === 1, 'at home');
      document.body.append(below);
      below.close();
      below.showModal();
      await until(() => insideOf(below).length === 1, 'in it again');
      element.remove();
      await until(() => stacks().length === 0 && below.querySelector('progress-toasts') === null, 'gone with the element');
    } finally {
      below.remove();
    }
  });

  it('lets a success go in a dialog, too: one that it was put into, and one that it lies in', async () => {
    const [one, two] = [new Session('one'), new Session('two')];
    const element = await watching(one);
    element.stay = 0.2;
    const dialog = await fixture<HTMLDialogElement>(html`<dialog><progress-toasts stay="0.2"></progress-toasts></dialog>`);
    dialog.showModal();
    const within = dialog.querySelector('progress-toasts')!;
    within.watch(two);
    two.end('completed');
    await until(() => toastsOf(within).length === 1, 'the notice of the one that lies in it');
    await until(() => toastsOf(within).length === 0, 'it goes');
    one.end('completed');
    await until(() => stacks().length === 1, 'the notice of the other one');
    expect(dialog.querySelectorAll('progress-toasts').length).to.equal(2);
    await until(() => stacks().length === 0, 'it goes, too');
    expect(dialog.querySelectorAll('progress-toasts').length, 'and leaves nothing').to.equal(1);
    dialog.close();
  });

  it('lies at the end of a line', async () => {
    const session = new Session('over');
    const element = await watching(session);
    session.ask('May I?');
    await until(() => toastsOf(element).length === 1, 'the notice');
    expect(innerWidth - toastsOf(element)[0]!.getBoundingClientRect().right).to.be.within(8, 24);
    element.parentElement!.dir = 'rtl';
    expect(toastsOf(element)[0]!.getBoundingClientRect().left).to.be.within(8, 24);
  });

  it('says a failure also when a success was said a moment ago, and of a hundred ends a few with the number of the rest', async () => {
    const all = Array.from({ length: 100 }, (_, index) => new Session(`s${index}`));
    const element = await watching(...all);
    all[0]!.end('completed');
    await until(() => heard.said.length === 1, 'the first');
    for (const session of all.slice(1, 60)) session.end('completed');
    for (const session of all.slice(60, 99)) session.end('failed');
    all[99]!.ask('May I?');
    await until(() => heard.said.length === 3, 'the rest, in two goes');
    const [first, failures, others] = heard.said;
    expect(first).to.equal('polite: Title of s0: completed.');
    expect(failures).to.match(/^assertive: (Title of s\d+: failed\. ){3}36 more\.$/);
    expect(others).to.match(/^polite: .*Title of s99: Publish needs permission: May I\? 57 more\.$/);
    expect(told(element)[0], 'what needs somebody is on top').to.equal('Title of s99: Publish needs permission: May I?');
    expect(words(part(element, 'more'))).to.equal('Show 97 more');
    part(element, 'more')!.click();
    await until(() => toastsOf(element).length === 100, 'nothing is lost');
  });

  it('says no question that was answered before it could be said, and shows none', async () => {
    const session = new Session('quick');
    const element = await watching(session);
    session.ask('Old?');
    session.move({ operations: [operation({ id: 'p', run: 'r', title: 'Publish', activeTitle: 'Publish' })] });
    session.end('completed');
    await until(() => told(element).join() === 'Title of quick: completed', 'what came after it');
    await until(() => heard.said.length === 1, 'it is said');
    expect(heard.said).to.deep.equal(['polite: Title of quick: completed.']);
  });

  it('forgets a session that its source has left for another one', async () => {
    const [one, two] = [new Session('one'), new Session('two')];
    const element = await watching();
    const both = { ...one, getSnapshot: one.getSnapshot, subscribe: one.subscribe };
    let listener: ((state: SessionState) => void) | undefined;
    element.watch({ getSnapshot: both.getSnapshot, subscribe: (given) => ((listener = given), one.subscribe(given)) });
    one.ask('May I?');
    await until(() => toastsOf(element).length === 1, 'asked');
    listener!(two.getSnapshot());
    await until(() => toastsOf(element).length === 0, 'nobody would ever take it back');
  });

  it('tells one end once, however many read the session', async () => {
    const session = new Session('both');
    const again = { getSnapshot: session.getSnapshot, subscribe: session.subscribe };
    const element = await watching(session);
    const leave = element.watch(again);
    session.end('completed');
    await until(() => toastsOf(element).length === 1, 'told');
    leave();
    await element.updateComplete;
    expect(toastsOf(element).length, 'the other one still reads it').to.equal(1);
  });

  it('counts on after a notice went from under the pointer', async () => {
    const [one, two] = [new Session('one'), new Session('two')];
    const element = await watching(one, two);
    element.stay = 0.2;
    await element.updateComplete;
    one.end('failed');
    await until(() => toastsOf(element).length === 1, 'the first');
    const dismiss = toastsOf(element)[0]!.querySelector<HTMLElement>('.dismiss')!;
    part(element, 'stack')!.dispatchEvent(new PointerEvent('pointerenter'));
    dismiss.click();
    await until(() => part(element, 'stack') === null, 'dismissed');
    two.end('completed');
    await until(() => toastsOf(element).length === 1, 'the second');
    await until(() => toastsOf(element).length === 0, 'goes by itself');
  });

  it('is not printed', () => {
    const sheets = (customElements.get('progress-toasts') as unknown as { elementStyles: readonly { styleSheet: CSSStyleSheet }[] })
      .elementStyles;
    const printed = sheets
      .flatMap(({ styleSheet }) => [...styleSheet.cssRules])
      .filter((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.media.mediaText === 'print')
      .flatMap((rule) => [...rule.cssRules] as CSSStyleRule[]);
    expect(printed.filter(({ selectorText }) => selectorText === '.stack').map(({ style }) => style.display)).to.deep.equal(['none']);
  });

  it('fits a page of 240 pixels, with targets that can be hit', async () => {
    const session = new Session('narrow', { title: 'Unbreakable'.repeat(20) });
    const element = await watching(session);
    session.ask('https://example.com/'.repeat(30));
    await until(() => toastsOf(element).length === 1, 'the notice');
    const stack = part(element, 'stack')!;
    stack.style.inlineSize = '208px';
    const { left, right } = stack.getBoundingClientRect();
    for (const one of stack.querySelectorAll('*:not(svg, path)')) {
      const box = one.getBoundingClientRect();
      expect(box.left, one.className.toString()).to.be.at.least(left - 1);
      expect(box.right, one.className.toString()).to.be.at.most(right + 1);
    }
    const { width, height } = part(element, 'dismiss')!.getBoundingClientRect();
    expect(Math.min(width, height)).to.be.at.least(24);
  });

  it('does not move where less motion is asked for', () => {
    const sheets = (customElements.get('progress-toasts') as unknown as { elementStyles: readonly { cssText: string }[] }).elementStyles;
    const text = sheets.map(({ cssText }) => cssText).join('');
    const outside = text.replace(/@media \(prefers-reduced-motion:\s?no-preference\)\s?\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, '');
    expect(outside).not.to.match(/animation:\s?(arrive|turn)/);
  });

  const ask = navigator.userAgent.includes('Chrome/') ? it : () => undefined;
  ask('is a landmark with a list of notices, each with a button that says all and one that dismisses', async () => {
    const [asks, ends] = [new Session('asks'), new Session('ends')];
    const element = await watching(asks, ends);
    asks.ask('May I?');
    ends.end('completed');
    await until(() => toastsOf(element).length === 2, 'both');
    interface Node {
      readonly role: string;
      readonly name?: string;
      readonly children?: readonly Node[];
    }
    const flat = (node: Node): readonly string[] => [`${node.role} ${node.name ?? ''}`.trim(), ...(node.children ?? []).flatMap(flat)];
    const tree = flat((await a11ySnapshot({})) as unknown as Node).filter((one) => !/^(StaticText|InlineTextBox|text)/.test(one));
    expect(part(element, 'stack')!.getAttribute('role')).to.equal('region');
    expect(part(element, 'stack')!.getAttribute('aria-label')).to.equal('Notices');
    expect(tree.filter((one) => one.startsWith('button'))).to.deep.equal([
      'button Title of asks Publish needs permission: May I?',
      'button Title of asks: Dismiss',
      'button Title of ends Completed',
      'button Title of ends: Dismiss',
    ]);
  });
});

describe('progress-toasts at a gateway', () => {
  it('tells of sessions by their keys, over a real connection', async () => {
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const base = `${url}/v1/sessions`;
    const session = `toast-${crypto.randomUUID()}`;
    const post = async (...events: object[]): Promise<void> => {
      const response = await fetch(`${base}/${session}/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(events.map((event) => ({ session, at: Date.now(), ...event }))),
      });
      expect(response.status).to.equal(200);
    };
    await post({ type: 'session', title: 'Nightly' }, { type: 'run', run: 'r', state: 'running' });
    const platform = window.fetch;
    let streams = 0;
    window.fetch = async (input, init) => {
      const response = await platform(input, init);
      if (new Request(input).url.endsWith(`${session}/stream`)) streams++;
      return response;
    };
    const element = create('progress-toasts') as unknown as ProgressToasts;
    Object.assign(element, { base, sessions: [session] });
    const box = await fixture<HTMLElement>(html`<div></div>`);
    box.append(element);
    // It has to have seen the beginning, or what follows is no news to it.
    await until(() => streams > 0, 'it reads the session');
    window.fetch = platform;
    await post({
      type: 'operation',
      run: 'r',
      id: 1,
      state: 'blocked',
      title: 'Deploy',
      blockedOn: { kind: 'question', prompt: 'Where to?' },
    });
    await until(() => told(element).join() === 'Nightly: Deploy has a question: Where to?', 'the question');
    await post({ type: 'operation', run: 'r', id: 1, state: 'running' });
    await until(() => toastsOf(element).length === 0, 'answered elsewhere');
    await post({ type: 'run', run: 'r', state: 'failed', reason: 'Out of memory' });
    await until(() => told(element).join() === 'Nightly: failed: Out of memory', 'the end');
    element.sessions = [];
    await until(() => toastsOf(element).length === 0, 'nobody wants to hear of it any more');
  });

  it('reads the sessions that were named last, however quickly they change, and speaks of no other', async () => {
    const { url } = (await (await fetch('/gateway.json')).json()) as { url: string };
    const base = `${url}/v1/sessions`;
    const names = Array.from({ length: 6 }, () => `toast-${crypto.randomUUID()}`);
    const element = create('progress-toasts') as unknown as ProgressToasts;
    const box = await fixture<HTMLElement>(html`<div></div>`);
    const platform = window.fetch;
    const open = new Set<string>();
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      const name = names.find((one) => request.url.includes(`${one}/stream`));
      if (name) {
        open.add(name);
        init?.signal?.addEventListener('abort', () => open.delete(name));
      }
      return platform(input, init);
    };
    try {
      Object.assign(element, { base });
      box.append(element);
      for (const name of names) {
        element.sessions = [name];
        element.requestUpdate();
        await element.updateComplete;
      }
      await until(() => open.has(names.at(-1)!), 'the last is read');
      await until(() => open.size === 1, 'and no other');
    } finally {
      window.fetch = platform;
    }
  });
});
