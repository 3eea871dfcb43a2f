import type { PageLike } from './worker-types.ts';

/** What a worker asks pages: whether one shows a session, and whether somebody looks at it. */
export interface Question {
  readonly sitrep: 'push';
  readonly session: string;
}

/** What a page answers. */
export interface Answer {
  readonly visible: boolean;
}

/** Milliseconds a page may take; one that says nothing is taken for one that does not show it. */
const PATIENCE_MS = 500;

/** Asks all pages at once; answers the first that shows the session, with `visible` only one that is looked at. */
export async function pageShowing(pages: readonly PageLike[], session: string, visible: boolean): Promise<PageLike | undefined> {
  const answers = await Promise.all(
    pages.map(async (page) => {
      if (visible && page.visibilityState !== undefined && page.visibilityState !== 'visible') return undefined;
      const answer = await ask(page, session);
      return answer && (!visible || answer.visible) ? page : undefined;
    }),
  );
  return answers.find((page) => page !== undefined);
}

function ask(page: PageLike, session: string): Promise<Answer | undefined> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const timer = setTimeout(done, PATIENCE_MS, undefined);
    function done(answer: Answer | undefined): void {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    }
    port1.onmessage = ({ data }) => done(data as Answer);
    const question: Question = { sitrep: 'push', session };
    try {
      page.postMessage(question, [port2]);
    } catch {
      done(undefined);
    }
  });
}

/** True for a question about this session. */
export function isQuestion(data: unknown, session: string): boolean {
  const question = data as Question | null | undefined;
  return question?.sitrep === 'push' && question.session === session;
}
