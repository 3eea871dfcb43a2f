/** What a page tells of itself; absent where there is no page. */
interface PageEvents {
  /** The page is left, frozen, or put aside for a return. It may not run again. */
  away(): void;
  /** A page that was away runs again. */
  back(): void;
}

/**
 * Tells when a page is put away (left, frozen, kept for the back button) and when it runs again. Hidden is not away: a hidden
 * page keeps what it has. Does nothing where there is no page. Returns the way out.
 */
export function watchPage({ away, back }: PageEvents): () => void {
  const page: Document | undefined = globalThis.document;
  const scope = globalThis as Pick<Partial<typeof globalThis>, 'addEventListener' | 'removeEventListener'>;
  if (page === undefined || scope.addEventListener === undefined) return () => {};
  let gone = false;
  const leave = (): void => {
    if (gone) return;
    gone = true;
    away();
  };
  const come = (): void => {
    if (!gone) return;
    gone = false;
    back();
  };
  scope.addEventListener('pagehide', leave);
  scope.addEventListener('pageshow', come);
  page.addEventListener('freeze', leave);
  page.addEventListener('resume', come);
  return () => {
    scope.removeEventListener?.('pagehide', leave);
    scope.removeEventListener?.('pageshow', come);
    page.removeEventListener('freeze', leave);
    page.removeEventListener('resume', come);
  };
}
