import type { SessionList } from '../display/session-link.ts';

/** Watches a gateway's list of sessions until the returned function is called. The code for it comes with the first board that asks. */
export function watchListLater(address: string, told: (list: SessionList) => void): () => void {
  let over = false;
  let leave: (() => void) | undefined;
  import('./session-list.ts').then(
    ({ watchList }) => (leave = over ? undefined : watchList(address, told)),
    () => !over && told({ sessions: undefined, error: 'The code that connects could not be loaded.' }),
  );
  return () => {
    over = true;
    leave?.();
  };
}
