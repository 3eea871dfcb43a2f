import type { Operation } from '@sitrep/schema';

/** The session to show, as the gateway names it. */
export const src = new URLSearchParams(location.search).get('src') ?? '/v1/sessions/demo';

/** Tells whoever does the work that somebody wants it to stop. */
export async function askToStop({ id, run }: Operation): Promise<void> {
  const body = JSON.stringify({ type: 'operation', id, run, cancelRequested: true });
  await fetch(`${src}/events`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

/** Something the page itself does, with no session behind it. */
export const letter = (current: number): Operation => ({
  id: 'letter',
  attempt: 1,
  state: 'running',
  title: 'Write a letter',
  current,
  total: 10,
  unit: 'pages',
  updatedAt: Date.now(),
});
