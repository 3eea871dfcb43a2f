import '@sitrep/elements/define';
import type { ProgressProvider } from '@sitrep/elements';

const address = `${location.origin}/v1/sessions/live`;
const byId = (id: string) => document.getElementById(id)!;

byId('command').textContent = `npx sitrep run --url ${location.origin} --session live -- npm --version`;
byId('curl').textContent = [
  `curl -X POST ${address}/events \\`,
  `  -H 'content-type: application/json' \\`,
  `  -d '{"type":"operation","id":"hello","state":"completed","title":"Hello from curl"}'`,
].join('\n');

const provider = document.querySelector<ProgressProvider>('progress-provider')!;
const button = byId('again') as HTMLButtonElement;
const answer = byId('answer');

button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const { status } = await fetch('/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    answer.textContent = status === 202 ? '' : 'A run is going on already.';
  } catch {
    answer.textContent = 'The server cannot be reached.';
  }
});

// The card has no need to show its revision or to start anything; this page does.
setInterval(() => {
  const session = provider.session;
  const state = session?.connection.state;
  button.disabled = (state !== 'live' && state !== 'resumed') || session?.runs.at(-1)?.state === 'running';
  byId('revision').textContent = session ? String(session.card.revision) : '';
}, 500);
