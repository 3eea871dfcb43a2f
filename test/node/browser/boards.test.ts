import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { createGateway, createToken, newKey, readKeys } from '@sitrep/server';
import type { Gateway } from '@sitrep/server';
import { createMemoryStore } from '@sitrep/server/memory';
import { openSite, until } from './site.ts';

const MANY = 30;
/** The shortest time between two looks at a session that has no stream, milliseconds. */
const LOOK = 3_750;

/** A program that has the gateway inside it: it starts, stops, and starts again at the same address with another history. */
class Program {
  readonly #page: string;
  gateway!: Gateway;
  url = '';

  constructor(t: TestContext, page: string) {
    this.#page = page;
    t.after(() => this.gateway.close());
  }

  async start(word: string): Promise<void> {
    this.gateway = createGateway({ store: createMemoryStore(), log: () => undefined, allowedOrigins: [this.#page] });
    for (let n = 0; n < MANY; n++) {
      await this.gateway.publish(`s${n}`, [
        { type: 'session', title: `Title ${n}` },
        { type: 'operation', id: 'a', state: 'running', title: `${word} ${n}.` },
      ]);
    }
    ({ url: this.url } = await this.gateway.listen({ port: this.url ? Number(new URL(this.url).port) : 0 }));
  }
}

const said = (page: Page): Promise<Record<string, string>> => page.evaluate(() => window.page.said());
const asked = (page: Page) => page.evaluate(() => ({ ...window.page.asked, ...window.page.open, at: performance.now() }));
const all = (page: Page, fits: (text: string, n: number) => boolean, what: string) =>
  until(
    async () => {
      const texts = await said(page);
      return Object.keys(texts).length === MANY && Object.entries(texts).every(([name, text]) => fits(text, Number(name.slice(1))));
    },
    what,
    60_000,
  );

describe('a board of thirty sessions', () => {
  it('is alive again, without a reload, when the program that holds the gateway was closed and started again', async (t) => {
    await using site = await openSite(['board-page']);
    const program = new Program(t, site.url);
    await program.start('First');
    const page = await site.open(`board-page?sessions=${MANY}&at=${encodeURIComponent(program.url)}`);
    await page.setViewportSize({ width: 1_600, height: 1_600 });
    await all(page, (text, n) => text.includes(`First ${n}.`) && text.includes('working'), 'all are shown');
    const before = await asked(page);
    await program.gateway.close();
    await all(page, (text) => text.includes('reconnecting'), 'all say that they are reconnecting');
    // A stream that broke and a look that failed are the same outage, and what was known is there in both.
    for (const [name, text] of Object.entries(await said(page))) {
      assert.ok(text.includes(`First ${name.slice(1)}.`), text);
      assert.ok(!/cannot be reached|Try again/.test(text), text);
    }
    await program.start('Second');
    await all(page, (text, n) => text.includes(`Second ${n}.`) && !text.includes('reconnecting'), 'all are right again');
    const after = await asked(page);
    assert.equal(after.most, 4, 'streams at a time');
    const looks = (after.at - before.at) / LOOK + 2;
    t.diagnostic(
      `${after.snapshots - before.snapshots} snapshots, ${after.lists - before.lists} lists, ${after.streams - before.streams} streams`,
    );
    assert.ok(after.snapshots - before.snapshots <= MANY * looks, 'each is asked for no more often than ever');
    assert.ok(after.lists - before.lists <= looks);
    assert.deepEqual(site.errors, []);
  });

  it('reads sessions, streams and the list with the token of the page, at a gateway of another origin', async (t) => {
    await using site = await openSite(['board-page']);
    const keys = readKeys(newKey('HS256'));
    const gateway = createGateway({ store: createMemoryStore(), keys, log: () => undefined, allowedOrigins: [site.url] });
    t.after(() => gateway.close());
    const { url } = await gateway.listen({ port: 0 });
    for (const n of [0, 1, 2]) await gateway.publish(`s${n}`, [{ type: 'operation', id: 'a', state: 'running', title: `Op ${n}.` }]);
    const token = await createToken(keys, { sessions: ['s0', 's1'] });
    const at = encodeURIComponent(url);
    const page = await site.open(`board-page?sessions=3&at=${at}&token=${token}`);
    const shows = (which: Page, first: RegExp, last: RegExp) =>
      until(async () => {
        const { s0 = '', s1 = '', s2 = '' } = await said(which);
        return first.test(s0) && first.test(s1) && last.test(s2);
      }, `${first} and ${last}`);
    await shows(page, /Op \d\./, /You may not read this session/);
    await until(() => gateway.clients === 2, 'both have a stream');
    const without = await site.open(`board-page?sessions=3&at=${at}`);
    await shows(without, /You may not read this session/, /You may not read this session/);
    assert.deepEqual(site.errors, []);
  });

  it('keeps the focus where the reader is while others rearrange it, and gives it on when what had it goes', async () => {
    await using site = await openSite(['board-page']);
    for (let n = 0; n < 5; n++) await site.gateway.publish(`s${n}`, [{ type: 'operation', id: 'a', state: 'running', title: `Op ${n}.` }]);
    const page = await site.open('board-page?sessions=5');
    await until(async () => Object.values(await said(page)).every((text) => text.includes('Op')), 'all are shown');
    await page.evaluate(() => (window.page.board.editable = true));
    const focus = () =>
      page.evaluate(() => {
        const { activeElement } = window.page.board.shadowRoot!;
        const part = activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? activeElement?.localName;
        return `${activeElement?.getAttribute('session') ?? ''} ${part ?? 'nowhere'}`;
      });
    const show = (...order: number[]) =>
      page.evaluate(
        async (names) => {
          const { board } = window.page;
          board.sessions = names;
          await board.updateComplete;
          while (!(await board.updateComplete));
        },
        order.map((n) => `s${n}`),
      );
    const put = (n: number, part: string) =>
      page.evaluate(
        ([at, name]) => {
          const widget = window.page.board.shadowRoot!.querySelector(`[session=s${at}]`)!;
          widget.shadowRoot!.querySelector<HTMLElement>(`[part=${name}]`)!.focus();
        },
        [n, part] as const,
      );
    const sum = () => page.evaluate(() => window.page.board.shadowRoot!.querySelector('[part=sums] [part=summary]')?.textContent);
    await until(async () => (await page.locator('[part=unpin]').count()) === 5, 'it can be rearranged');
    await put(3, 'unpin');
    for (const order of [
      [3, 0, 1, 2, 4],
      [4, 3, 2, 1, 0],
      [1, 3],
      [3, 4, 0],
      [0, 1, 2, 3, 4],
    ]) {
      await show(...order);
      assert.equal(await focus(), 's3 unpin', String(order));
    }
    await show(0, 1, 2, 4);
    assert.equal(await focus(), 's4 unpin', 'at what took its place');
    await until(async () => (await sum()) === '4', 'what went is not counted');
    await show(0, 1, 2);
    assert.equal(await focus(), 's2 unpin', 'at the last one');
    await show();
    assert.equal(await focus(), ' section', 'at the board itself');
  });
});
