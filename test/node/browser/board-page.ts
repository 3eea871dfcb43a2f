/** The page of the tests of boards: shows the sessions its address names, and counts what it asks for. */
import '@sitrep/elements/define/progress-board';
import '@sitrep/elements/define/progress-provider';
import { setSessionHeaders } from '@sitrep/elements';
import type { ProgressBoard } from '@sitrep/elements';

/** What the test reads from the page. */
export interface BoardPage {
  readonly board: ProgressBoard;
  /** What each card says, by session. */
  said(): Record<string, string>;
  /** Requests begun so far, snapshots, lists and streams apart. */
  readonly asked: { snapshots: number; lists: number; streams: number };
  /** Streams that are open now, and the most that ever were. */
  readonly open: { now: number; most: number };
}

declare global {
  interface Window {
    page: BoardPage;
  }
}

const query = new URLSearchParams(location.search);
const asked = { snapshots: 0, lists: 0, streams: 0 };
const open = { now: 0, most: 0 };
const real = window.fetch.bind(window);
window.fetch = async (input, init) => {
  const { pathname } = new URL(new Request(input, init).url);
  if (!pathname.endsWith('/stream')) {
    asked[pathname.endsWith('/sessions') ? 'lists' : 'snapshots'] += 1;
    return real(input, init);
  }
  asked.streams += 1;
  open.most = Math.max(open.most, (open.now += 1));
  init?.signal?.addEventListener('abort', () => (open.now -= 1), { once: true });
  return real(input, init);
};

const texts = (root: ParentNode | null | undefined): string =>
  [...(root?.querySelectorAll('*') ?? [])]
    .filter((one) => one.localName !== 'style' && (one.shadowRoot || one.childElementCount === 0))
    .map((one) => (one.shadowRoot ? texts(one.shadowRoot) : one.textContent))
    .join(' ')
    .replace(/\s+/g, ' ');

// Only where it belongs.
if (query.has('token'))
  setSessionHeaders((address) => (address.startsWith(query.get('at')!) ? { authorization: `Bearer ${query.get('token')}` } : undefined));
const board = document.createElement('progress-board');
if (query.has('at')) board.src = `${query.get('at')}/v1/sessions`;
if (query.has('sessions')) board.sessions = Array.from({ length: Number(query.get('sessions')) }, (_, n) => `s${n}`);
document.body.append(board);
window.page = {
  board,
  asked,
  open,
  said: () =>
    Object.fromEntries(
      [...board.shadowRoot!.querySelectorAll('progress-widget')].map((widget) => [widget.session ?? '', texts(widget.shadowRoot).trim()]),
    ),
};
