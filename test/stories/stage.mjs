// A page of the static Storybook that shows one story after the other, each at the same moment and in the same typeface.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { moment, typefaces } from './same.mjs';

/** What may be waited for at most, milliseconds: far more than any story takes. */
const PATIENCE = 60_000;
/** What has not changed for so long stands, milliseconds: more than what an element waits before it shows or hides something. */
const SETTLED = 350;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * One page: it is loaded once, and then goes from story to story as Storybook's own sidebar does. What a story leaves behind would
 * be seen by the next one, as it would be by a reader.
 */
export class Stage {
  /** What was wrong since the last story was begun. */
  problems = [];
  #base;
  #globals;
  #loaded = false;
  #requests = new Set();

  constructor(page, base, globals, strange) {
    this.page = page;
    this.#base = base;
    this.#globals = globals;
    page.on('pageerror', (error) => this.problems.push(`page error: ${short(error.message)}`));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(`console: ${short(message.text())}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.problems.push(`http ${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      this.#requests.add(request);
      if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) strange(request.url());
    });
    for (const over of ['requestfinished', 'requestfailed']) page.on(over, (request) => this.#requests.delete(request));
    for (const over of ['requestfinished', 'requestfailed']) page.on(over, (request) => this.#requests.delete(request));
  }

  /** Shows a story and waits until it has been played. With `still`, its clock stands. */
  async show(id, still) {
    this.problems = [];
    if (!this.#loaded) {
      await this.page.addInitScript(begin, [moment.getTime(), typefaces]);
      await this.page.goto(`${this.#base}/iframe.html?viewMode=story`);
      await this.page.waitForFunction(() => globalThis['__STORYBOOK_ADDONS_CHANNEL__']?.last('storyMissing'), undefined, {
        timeout: PATIENCE,
      });
      await this.page.evaluate((globals) => globalThis['__STORYBOOK_ADDONS_CHANNEL__'].emit('updateGlobals', { globals }), this.#globals);
      await this.page.evaluate(axe);
      await this.page.evaluate(() => globalThis.sweep.loadTypefaces());
      this.#loaded = true;
    }
    this.problems.push(...(await this.page.evaluate(([...of]) => globalThis.sweep.show(...of), [id, still, PATIENCE])));
    await this.page.evaluate(() => document.fonts.ready);
  }

  /** What the page looks like once nothing is loaded and nothing changes any more. */
  async still(look) {
    const end = performance.now() + PATIENCE;
    let last = await look();
    while (performance.now() < end) {
      await this.page.waitForTimeout(SETTLED);
      const next = await look();
      if (next.equals(last) && this.#requests.size === 0) return next;
      last = next;
    }
    throw new Error('it never stands still');
  }

  /** Opens the page about all stories of an element, and waits until each of them has been drawn. */
  async open(id) {
    this.problems = [];
    this.#loaded = false;
    await this.page.goto(`${this.#base}/iframe.html?id=${id}&viewMode=docs`);
    await this.page.waitForSelector('body.sb-show-main #storybook-docs h1', { timeout: PATIENCE });
    await this.page.waitForFunction(
      () => [...document.querySelectorAll('.docs-story')].every((story) => story.querySelector('iframe, [id^="story--"] > *')),
      undefined,
      { timeout: PATIENCE },
    );
  }
}

/** The beginning of a message: some tell the whole page. */
function short(text) {
  return text.slice(0, 300);
}

/** Runs in the page before anything else. */
function begin([from, css]) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  const wear = () => (document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]);
  if (document.documentElement) wear();
  else document.addEventListener('readystatechange', wear, { once: true });

  const Real = Date;
  let begun = Real.now();
  let still = true;
  let moves = false;
  const now = () => (still ? from : from + Real.now() - begun);
  globalThis.Date = class extends Real {
    constructor(...parts) {
      super(...(parts.length ? parts : [now()]));
    }
    static now() {
      return now();
    }
  };

  const wrong = [];
  let listened = false;
  let finished;
  globalThis.sweep = {
    loadTypefaces: () => Promise.all([...document.fonts].map((face) => face.load())),
    /** Shows a story; answers what went wrong while it was drawn and played. */
    async show(id, stands, patience) {
      const channel = globalThis['__STORYBOOK_ADDONS_CHANNEL__'];
      if (!listened) {
        listened = true;
        for (const name of ['playFunctionThrewException', 'storyThrewException']) channel.on(name, ({ message }) => wrong.push(message));
        channel.on('unhandledErrorsWhilePlaying', (errors) => wrong.push(...errors.map(({ message }) => message)));
        channel.on('storyErrored', ({ title, description }) => wrong.push(`${title}: ${description}`));
        channel.on('storyMissing', (missing) => missing && wrong.push(`there is no story ${missing}`));
        // What a story is made of begins at the same moment, however long it takes to load.
        channel.on('storyPrepared', () => {
          begun = Real.now();
          still = !moves;
        });
        channel.on('storyFinished', ({ storyId }) => finished?.(storyId));
      }
      wrong.length = 0;
      still = true;
      moves = !stands;
      scrollTo(0, 0);
      const over = new Promise((done) => {
        finished = (story) => story === id && done(true);
        setTimeout(done, patience, false);
      });
      channel.emit('setCurrentStory', { storyId: id, viewMode: 'story' });
      if (!(await over)) wrong.push('the story was not played to its end');
      return wrong.map((message) => `interaction: ${String(message).slice(0, 300)}`);
    },
  };
}
