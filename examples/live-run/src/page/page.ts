import '@sitrep/elements/define';
import type { ProgressProvider } from '@sitrep/elements';

const session = `${location.origin}/v1/sessions/live`;
const byId = (id: string) => document.getElementById(id)!;

byId('command').textContent = `npx sitrep run --url ${location.origin} --session live -- npm --version`;
byId('curl').textContent = [
  `curl -X POST ${session}/events \\`,
  `  -H 'content-type: application/json' \\`,
  `  -d '{"type":"operation","id":"hello","state":"running","title":"Hello from curl"}'`,
].join('\n');

async function runAgain(): Promise<void> {
  const answer = byId('answer');
  try {
    const { status } = await fetch('/runs', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    answer.textContent = status === 202 ? 'A new run has begun.' : 'A run is going on already.';
  } catch {
    answer.textContent = 'The server cannot be reached.';
  }
}
byId('again').addEventListener('click', () => void runAgain());
document.addEventListener('progress-retry-request', () => void runAgain());

// The card itself has no need to show its revision; the page does, so that one can see it survive a crash.
const provider = document.querySelector<ProgressProvider>('progress-provider')!;
setInterval(() => {
  byId('revision').textContent = String(provider.session?.card.revision ?? '–');
}, 500);
