import { html } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { ref } from 'lit/directives/ref.js';
import type { SessionView } from '@sitrep/client';
import type { ProgressToasts } from '@sitrep/elements';
import { operation, run, session } from './fixtures/records.ts';
import { drawn, elementPage } from './workshop/element.ts';
import type { Args } from './workshop/element.ts';

/** A session that was at work, and stands where the story says at the next moment. */
function moving(after: SessionView) {
  const before = session({ session: after.session, title: after.title, usage: undefined, runs: [run()] });
  return {
    getSnapshot: () => after,
    subscribe(listener: (view: SessionView) => void) {
      listener(before);
      listener(after);
      return () => {};
    },
  };
}

/** What is changed beside the story is news again: the notices begin anew. */
const draw = ({ told = [], ...args }: Args & { readonly told?: readonly SessionView[] }) => {
  const watch = (box?: Element): void =>
    void setTimeout(() => {
      const toasts = box?.querySelector<ProgressToasts>('progress-toasts');
      void toasts?.updateComplete.then(() => told.forEach((one) => toasts.watch(moving(one))));
    });
  return keyed(
    JSON.stringify([told, args]),
    html`<div ${ref(watch)}>
      <p lang="en">The notices are in the corner. F8 goes to them.</p>
      ${drawn('progress-toasts', args)}
    </div>`,
  );
};

export default {
  title: 'Progress toasts',
  ...elementPage('progress-toasts', {
    usage: '<progress-toasts sessions="release login" href="/chats/{session}"></progress-toasts>',
    height: 320,
    draw,
    records: { told: 'Sessions that were at work until now, as they stand at this moment.' },
  }),
};

const asks = (key: string, title: string, prompt: string, kind: 'permission' | 'question' = 'permission'): SessionView =>
  session({
    session: key,
    title,
    usage: undefined,
    runs: [run()],
    operations: [
      operation({ id: 'p', run: 'turn-1', state: 'blocked', title: 'Publish', activeTitle: 'Publish', blockedOn: { kind, prompt } }),
    ],
  });
const ends = (key: string, title: string, state: 'completed' | 'failed' | 'interrupted', reason?: string): SessionView =>
  session({ session: key, title, usage: undefined, runs: [run({ state, ...(reason && { reason }) })] });

const release = asks('release', 'Release 2.4', 'May I publish 2.4.0 to the registry?');
const migrate = ends('migrate', 'Migrate the database', 'failed', 'No space left on device');
const login = ends('login', 'Fix the login redirect', 'completed');

/** Sessions as records that can be changed beside the story. They stay until they are dismissed, so that there is something to look at. */
const one = (told: readonly SessionView[], more: Args = {}) => ({ args: { stay: 0, told, ...more } });

export const NeedsYou = { tags: ['edited'], ...one([release]) };
export const Asks = one([asks('schema', 'Merge the schemas', 'Which of the two schemas is right?', 'question')]);
export const Failed = one([migrate]);
export const Interrupted = one([ends('watch', 'Watch the log', 'interrupted')]);
export const Done = one([login]);
/** A success goes after a while, eight seconds unless the page says otherwise; resting the pointer on it holds it. */
export const GoesByItself = one([login], { stay: undefined });
export const AllKinds = { tags: ['picture'], ...one([login, migrate, release], { href: '#/chats/{session}' }) };
export const ManyMore = {
  tags: ['picture'],
  ...one([release, migrate, ...['One', 'Two', 'Three', 'Four'].map((name) => ends(name, `Task ${name.toLowerCase()}`, 'completed'))]),
};
export const LongWords = one([
  asks('long', 'A session with a title that is far too long for one line of a notice', 'https://example.com/'.repeat(20)),
]);
export const Dense = one([login, migrate, release], { density: 'dense' });
export const Dark = one([login, migrate, release], { scheme: 'dark' });
export const RightToLeft = one([login, migrate, release], { lang: 'ar', dir: 'rtl' });
