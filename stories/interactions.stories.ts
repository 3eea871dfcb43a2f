import { html } from 'lit';
import type { ProgressBoard, ProgressList, ToolProgress } from '@sitrep/elements';
import type { ProgressMoveRequestEvent, ProgressUnpinRequestEvent } from '@sitrep/elements';
import '@sitrep/elements/define/all';
import { expect, userEvent, waitFor } from 'storybook/test';
import { team } from './fixtures/board.ts';
import { changing } from './fixtures/changing.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import { ago, card, now, operation, plan, run, session } from './fixtures/records.ts';
import { focused, within, wordsOf } from './workshop/within.ts';
import type { Played } from './workshop/within.ts';

/** What readers do with mouse and keyboard, and what comes of it. Each story plays itself. */
export default {
  title: 'Workshop/Interactions',
  tags: ['played'],
  parameters: { controls: { disable: true }, actions: { disable: true } },
};

const toggled = (canvas: HTMLElement, tag: string) => within(canvas, tag, '[part="toggle"]').getAttribute('aria-expanded');

/** A row opens by a click and by the keyboard; Escape closes it and leaves the focus on its button. */
export const OpenAndClose = {
  render: () =>
    html`<tool-progress .operation=${operation({ message: 'Compiling', current: 42, total: 100, unit: 'files' })}></tool-progress>`,
  async play({ canvasElement: canvas }: Played) {
    const button = within(canvas, 'tool-progress', '[part="toggle"]');
    const steps: string[] = [];
    const is = (open: boolean) => {
      steps.push(open ? 'open' : 'closed');
      return waitFor(() => expect([...steps, toggled(canvas, 'tool-progress')]).toEqual([...steps, String(open)]));
    };
    await is(false);
    await userEvent.click(button);
    await is(true);
    await userEvent.click(button);
    await is(false);
    button.focus();
    await userEvent.keyboard('{Enter}');
    await is(true);
    await userEvent.keyboard('{Escape}');
    await is(false);
    await expect(focused()).toBe(button);
  },
};

/** Escape closes what is innermost: first the operation, then the card. */
export const EscapeFromInside = {
  render: () =>
    html`<progress-card
      heading="Release"
      .card=${card({ plan })}
      .operations=${[operation({ id: 'a', message: 'Compiling', fraction: 0.4 })]}
      .runs=${[run()]}
    ></progress-card>`,
  async play({ canvasElement: canvas }: Played) {
    await userEvent.click(within(canvas, 'progress-card', '[part="toggle"]'));
    await waitFor(() => expect(within(canvas, 'progress-card', 'tool-progress').shadowRoot).toBeTruthy());
    const inside = canvas.querySelector('progress-card')!.shadowRoot!;
    const group = inside.querySelector<HTMLElement>('[part~="operations"] summary, [part~="operations"] button[aria-expanded="false"]');
    group?.click();
    const row = within(inside, 'tool-progress', '[part="toggle"]');
    await waitFor(() => expect(row.checkVisibility()).toBe(true));
    await userEvent.click(row);
    await waitFor(() => expect(row.getAttribute('aria-expanded')).toBe('true'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(row.getAttribute('aria-expanded')).toBe('false'));
    await expect(toggled(canvas, 'progress-card')).toBe('true');
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(toggled(canvas, 'progress-card')).toBe('false'));
    await expect(focused()).toBe(within(canvas, 'progress-card', '[part="toggle"]'));
  },
};

/** Asked to cancel, a row says so until the agent has answered; asking twice asks once. */
export const CancelAndOutcome = {
  render: () =>
    html`<tool-progress
      actions="cancel retry"
      .operation=${operation({ id: 'upload', title: 'Upload', activeTitle: 'Uploading', cancellable: true, fraction: 0.3 })}
    ></tool-progress>`,
  async play({ canvasElement: canvas }: Played) {
    const row = canvas.querySelector<ToolProgress>('tool-progress')!;
    const asked: unknown[] = [];
    row.addEventListener('progress-cancel-request', ({ operation: { id } }) => {
      asked.push(id);
      row.operation = { ...row.operation!, cancelRequested: true };
    });
    const cancel = await waitFor(() => within(canvas, 'tool-progress', '[part="cancel"]'));
    await userEvent.click(cancel);
    await waitFor(() => expect(cancel).toHaveTextContent('cancelling'));
    await userEvent.click(cancel);
    await expect(asked).toEqual(['upload']);
    row.operation = { ...row.operation!, state: 'cancelled', endedAt: now, reason: 'by_user' };
    await waitFor(() => expect(wordsOf(row)).toMatch(/cancelled/i));
    await waitFor(() => expect(row.shadowRoot!.querySelector('[part="cancel"]')).toBe(null));
    await waitFor(() => expect(within(canvas, 'tool-progress', '[part="retry"]')).toHaveTextContent('Try again'));
  },
};

/** What failed can be asked for again; the row does nothing by itself. */
export const TryAgain = {
  render: () =>
    html`<tool-progress
      actions="retry"
      .operation=${operation({ id: 'tests', state: 'failed', endedAt: ago(4), error: { message: 'Disk full.' } })}
    ></tool-progress>`,
  async play({ canvasElement: canvas }: Played) {
    const row = canvas.querySelector<ToolProgress>('tool-progress')!;
    const asked: unknown[] = [];
    canvas.addEventListener('progress-retry-request', ({ operation: again }) => asked.push(again?.id), { once: true });
    (await waitFor(() => within(canvas, 'tool-progress', '[part="retry"]'))).focus();
    await userEvent.keyboard('{Enter}');
    await expect(asked).toEqual(['tests']);
    await expect(wordsOf(row)).toMatch(/failed/i);
    row.operation = operation({ id: 'tests', attempt: 2, fraction: 0.1 });
    await waitFor(() => expect(wordsOf(row)).toContain('attempt 2'));
  },
};

/** A filter by its button, and from filter to filter by arrows; in the tree arrows, ends and first letters. */
export const FilterAndArrows = {
  render: () =>
    html`<progress-list
      heading="Release"
      .operations=${[
        operation({ id: 'release', activeTitle: 'Release' }),
        operation({ id: 'compile', parent: 'release', title: 'Compile', state: 'completed', endedAt: ago(9) }),
        operation({ id: 'test', title: 'Test', state: 'failed', endedAt: ago(4), error: { message: '1 of 131 failed.' } }),
      ]}
    ></progress-list>`,
  async play({ canvasElement: canvas }: Played) {
    const list = canvas.querySelector<ProgressList>('progress-list')!;
    const root = list.shadowRoot!;
    await waitFor(() => expect(root.querySelectorAll('[role="row"]').length).toBeGreaterThan(1));
    const rows = () => [...root.querySelectorAll<HTMLElement>('[role="row"]')];
    const row = (title: string) => rows().find((one) => one.querySelector('[part~="title"]')?.textContent === title);
    const at = (title: string) => waitFor(() => expect(focused()).toBe(row(title)));
    row('Release')!.focus();
    await userEvent.keyboard('{ArrowRight}');
    await waitFor(() => expect(row('Compile')).toBeTruthy());
    await userEvent.keyboard('{ArrowRight}');
    await at('Compile');
    await userEvent.keyboard('{ArrowLeft}');
    await at('Release');
    await userEvent.keyboard('{End}');
    await at('Test');
    await userEvent.keyboard('r');
    await at('Release');
    const filters = [...root.querySelectorAll<HTMLElement>('[part="filter"]')];
    filters[0]!.focus();
    await userEvent.keyboard('{ArrowRight}');
    await expect(focused()).toBe(filters[1]);
    await userEvent.click(filters.find((one) => wordsOf(one).startsWith('failed'))!);
    await waitFor(() => expect(list.filter).toBe('failed'));
    await expect(row('Test')).toBeTruthy();
  },
};

serve({ 'peeked-at': session({ title: 'Release 2.4', card: card({ plan }, { run: 'turn-1' }), runs: [run()] }) });

/** The card of a session comes with the focus on its reference, and Escape takes it away again. */
export const PeekByFocus = {
  render: () =>
    html`<p>
      This waits for <progress-peek src="${BASE}/peeked-at"><a href="#there">the release</a></progress-peek
      >.
    </p>`,
  async play({ canvasElement: canvas }: Played) {
    const peek = canvas.querySelector('progress-peek')!;
    const shown = () => peek.matches(':state(open)');
    canvas.querySelector<HTMLElement>('a')!.focus();
    await waitFor(() => expect(shown()).toBe(true), { timeout: 20_000 });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(shown()).toBe(false));
    await expect(focused()).toBe(canvas.querySelector('a'));
  },
};

const pinned = Object.keys(team).slice(0, 3);

/** Moving and unpinning are asked for; the page answers, and the focus stays with what was moved. */
export const MoveAndUnpin = {
  render: () => {
    serve(team);
    const moved = ({ currentTarget, order }: ProgressMoveRequestEvent): void => void ((currentTarget as ProgressBoard).sessions = order);
    const unpinned = ({ currentTarget, session: gone }: ProgressUnpinRequestEvent): void => {
      const board = currentTarget as ProgressBoard;
      board.sessions = board.sessions?.filter((one) => one !== gone);
    };
    return html`<progress-board
      src=${BASE}
      editable
      .sessions=${pinned}
      @progress-move-request=${moved}
      @progress-unpin-request=${unpinned}
    ></progress-board>`;
  },
  async play({ canvasElement: canvas }: Played) {
    const board = canvas.querySelector<ProgressBoard>('progress-board')!;
    const widgets = () => [...board.shadowRoot!.querySelectorAll<HTMLElement>('progress-widget')];
    const button = (index: number, part: string) => widgets()[index]!.shadowRoot!.querySelector<HTMLButtonElement>(`[part="${part}"]`)!;
    await waitFor(() =>
      expect(widgets().map((one) => one.shadowRoot?.querySelector('[part="later"]') !== null)).toEqual([true, true, true]),
    );
    const [, second] = widgets();
    button(1, 'later').focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(widgets()[2]).toBe(second));
    await waitFor(() => expect(second!.shadowRoot!.activeElement).toBeTruthy());
    await userEvent.click(button(0, 'unpin'));
    await waitFor(() => expect(widgets().length).toBe(2));
    await expect(board.sessions).toEqual([pinned[2], pinned[1]]);
  },
};

/** A key goes to the notices, Escape takes the one away that has the focus, and goes back where the reader was. */
export const DismissANotice = {
  render: () => html`<label>A message <input /></label><progress-toasts></progress-toasts>`,
  async play({ canvasElement: canvas }: Played) {
    const toasts = canvas.querySelector('progress-toasts')!;
    await toasts.updateComplete;
    const told = () => [...(toasts.shadowRoot?.querySelectorAll('[part~="toast"]') ?? [])].map((one) => one.getAttribute('data-session'));
    for (const key of ['migrate', 'login']) {
      const store = changing(session({ session: key, title: `Task ${key}`, runs: [run()] }));
      toasts.watch(store);
      store.set({ runs: [run({ state: 'failed', endedAt: now, reason: 'Disk full' })] });
    }
    await waitFor(() => expect([...told()].sort()).toEqual(['login', 'migrate']));
    const input = canvas.querySelector('input')!;
    input.focus();
    await userEvent.keyboard('{F8}');
    await waitFor(() => expect(toasts.shadowRoot!.activeElement).toBeTruthy());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(told().length).toBe(1));
    await userEvent.click(toasts.shadowRoot!.querySelector('[part="dismiss"]')!);
    await waitFor(() => expect(told()).toEqual([]));
  },
};

/** A connection is lost, made again, and the page is up to date: the banner says each in turn, and then goes. */
export const LostAndBack = {
  render: () =>
    html`<br /><progress-provider .store=${changing(session({ card: card({ plan }, { run: 'turn-1' }), runs: [run()] }))}
        ><progress-card></progress-card
      ></progress-provider>`,
  async play({ canvasElement: canvas }: Played) {
    const provider = canvas.querySelector('progress-provider')!;
    const store = provider.store as unknown as ReturnType<typeof changing>;
    const banner = () => {
      const found = provider.shadowRoot!.querySelector('[part~="banner"]');
      return found && wordsOf(found);
    };
    await waitFor(() => expect(provider.shadowRoot!.querySelector('slot[name="banner"]')).toBeTruthy());
    await expect(banner()).toBe(null);
    store.set({ connection: { state: 'lost', since: Date.now() - 40_000 } });
    await waitFor(() => expect(banner()).toMatch(/^connection lost .*Try again$/));
    store.set({ connection: { state: 'reconnecting', since: Date.now() - 41_000 } });
    await waitFor(() => expect(banner()).toMatch(/^reconnecting/));
    store.set({ connection: { state: 'resumed', since: Date.now() } });
    await waitFor(() => expect(banner()).toBe('up to date again'));
    store.set({ connection: { state: 'live', since: Date.now() - 6_000 } });
    await waitFor(() => expect(banner()).toBe(null));
  },
};

/** The card goes beside the composer where there is no room for the rail, and back: the same card, with its focus. */
export const FromRailToComposer = {
  render: () =>
    html`<div class="shell" style="inline-size:100%">
      <progress-surface
        style="block-size:24rem"
        rail-from="30rem"
        heading="Fix the login redirect"
        .card=${card({ plan }, { run: 'turn-1' })}
        .runs=${[run({ updatedAt: ago(20) })]}
      >
        <main><p>The redirect is decided before the session has an owner.</p></main>
        <textarea slot="composer" aria-label="Write a message" style="box-sizing:border-box;inline-size:100%"></textarea>
        <p slot="rail">3 changed files</p>
      </progress-surface>
    </div>`,
  async play({ canvasElement: canvas }: Played) {
    const surface = canvas.querySelector('progress-surface')!;
    const shell = canvas.querySelector<HTMLElement>('.shell')!;
    const find = (root: ParentNode): Element | undefined => {
      for (const one of root.querySelectorAll('*')) {
        if (one.localName === 'progress-card') return one;
        const inside = one.shadowRoot && find(one.shadowRoot);
        if (inside) return inside;
      }
      return undefined;
    };
    const is = (place: string) => waitFor(() => expect(surface.matches(`:state(${place})`)).toBe(true), { timeout: 20_000 });
    shell.style.inlineSize = '20rem';
    await is('composer');
    const one = find(canvas);
    const toggle = await waitFor(
      () => one!.shadowRoot!.querySelector<HTMLElement>('[part="toggle"]') ?? Promise.reject(new Error('It is not drawn yet.')),
      {
        timeout: 20_000,
      },
    );
    toggle.focus();
    shell.style.inlineSize = '36rem';
    await is('rail');
    await expect(find(canvas)).toBe(one);
    await expect(focused()).toBe(toggle);
    shell.style.inlineSize = '';
    await is(document.documentElement.clientWidth > 520 ? 'rail' : 'composer');
    await expect(focused()).toBe(toggle);
  },
};
