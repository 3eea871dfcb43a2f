import { html } from 'lit';
import type { SessionView } from '@sitrep/client';
import type { ProgressToasts } from '@sitrep/elements';
import '@sitrep/elements/define/progress-toasts';
import { operation, run, session } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress toasts',
  component: 'progress-toasts',
  parameters: {
    ...about('progress-toasts', '<progress-toasts sessions="release login" href="/chats/{session}"></progress-toasts>', '320px'),
  },
};

/** A session that stands somewhere, and somewhere else at the next moment. */
function moving(before: SessionView, after: SessionView) {
  return {
    getSnapshot: () => after,
    subscribe(listener: (view: SessionView) => void) {
      listener(before);
      listener(after);
      return () => {};
    },
  };
}
const working = (key: string, title: string): SessionView => session({ session: key, title, usage: undefined, runs: [run()] });
const asks = (key: string, title: string, prompt: string) =>
  moving(
    working(key, title),
    session({
      ...working(key, title),
      operations: [
        operation({
          id: 'p',
          run: 'turn-1',
          state: 'blocked',
          title: 'Publish',
          activeTitle: 'Publish',
          blockedOn: { kind: 'permission', prompt },
        }),
      ],
    }),
  );
const ends = (key: string, title: string, state: 'completed' | 'failed', reason?: string) =>
  moving(working(key, title), session({ ...working(key, title), runs: [run({ state, ...(reason && { reason }) })] }));

const release = asks('release', 'Release 2.4', 'May I publish 2.4.0 to the registry?');
const migrate = ends('migrate', 'Migrate the database', 'failed', 'No space left on device');
const login = ends('login', 'Fix the login redirect', 'completed');

const draw = (
  told: readonly ReturnType<typeof moving>[],
  attributes: { readonly href?: string; readonly lang?: string; readonly dir?: 'rtl' } = {},
) => {
  const toasts = document.createElement('progress-toasts') as ProgressToasts;
  // They stay, so that there is something to look at.
  toasts.stay = 0;
  if (attributes.href) toasts.href = attributes.href;
  const box = document.createElement('div');
  if (attributes.lang) box.lang = attributes.lang;
  if (attributes.dir) box.dir = attributes.dir;
  const text = document.createElement('p');
  text.textContent = 'The notices are in the corner. F8 goes to them.';
  text.lang = 'en';
  box.append(text, toasts);
  void toasts.updateComplete.then(() => told.forEach((one) => toasts.watch(one)));
  return html`${box}`;
};

export const NeedsYou = { render: () => draw([release]) };
export const Failed = { render: () => draw([migrate]) };
export const Done = { render: () => draw([login]) };
export const AllKinds = { tags: ['picture'], render: () => draw([login, migrate, release], { href: '#/chats/{session}' }) };
export const ManyMore = {
  tags: ['picture'],
  render: () =>
    draw([release, migrate, ...['One', 'Two', 'Three', 'Four'].map((name) => ends(name, `Task ${name.toLowerCase()}`, 'completed'))]),
};
export const LongWords = {
  render: () =>
    draw([asks('long', 'A session with a title that is far too long for one line of a notice', 'https://example.com/'.repeat(20))]),
};
export const RightToLeft = { render: () => draw([login, migrate, release], { lang: 'ar', dir: 'rtl' }) };
